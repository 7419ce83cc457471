// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.profile;

/** Why the agent cannot do what it was asked for, in a sentence. */
final class Refusal extends Exception {
  private static final long serialVersionUID = 1;

  Refusal(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
