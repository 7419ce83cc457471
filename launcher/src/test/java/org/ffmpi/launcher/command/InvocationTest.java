// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Help and errors name the command that was typed. */
class InvocationTest {
  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', textBlock = """
      lib/ffmpi.jar -n 4 Main,                    lib/ffmpi.jar,        ``,     java -jar lib/ffmpi.jar
      lib/ffmpi.jar,                              lib/ffmpi.jar,        ``,     java -jar lib/ffmpi.jar
      my lib/ffmpi.jar -n 4,                      my lib/ffmpi.jar,     ``,     java -jar 'my lib/ffmpi.jar'
      org.ffmpi -n 4,                             ``,                   lib,    java -p lib -m org.ffmpi
      org.ffmpi/org.ffmpi.launcher.MpirunMain -n, ``,                   lib,    java -p lib -m org.ffmpi
      org.ffmpi/org.ffmpi.launcher.MpirunMain -n, ``,                   ``,     mpirun
      org.ffmpi.launcher.MpirunMain -n 4 Main,    /opt/lib/ffmpi.jar,   ``,     mpirun
      org.ffmpi.launcher.MpirunMain -n 4 Main,    a.jar:b.jar,          ``,     mpirun
      org.example.Tool,                           a.jar,                mods,   mpirun
      """)
  void theCommandIsThatWhichWasTyped(String line, String classPath, String modulePath, String expected) {
    assertEquals(expected, Invocation.command(line, classPath, modulePath));
  }
}
