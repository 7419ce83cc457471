// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every call, with each library that is installed. */
@Tag("process")
@Timeout(120)
class NativeCallsTest {
  @ParameterizedTest
  @EnumSource
  void everyCallDoesWhatItSays(NativeJob.Installed library) throws Exception {
    NativeJob.Answer answer = library.run(2, false, List.of(), NativeCalls.class);
    assertEquals(0, answer.exitCode(), answer.output());
    assertEquals(2, answer.output().split("rank ends well", -1).length - 1, answer.output());
  }
}
