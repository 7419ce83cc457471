// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.profile;

/** The reason why the agent cannot do its work, in a sentence. */
final class Refusal extends Exception {
  private static final long serialVersionUID = 1;

  Refusal(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
