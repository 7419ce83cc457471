# SPDX-License-Identifier: Apache-2.0
# Finds a JDK for the other scripts. Meant to be sourced by a POSIX shell:
#
#   . "$(dirname "$0")/lib/jdk.sh"
#   jdk=$(ffmpi_jdk) || exit 1
#   exec "$jdk/bin/java" ...
#
# Looks in JAVA_HOME, then on the PATH, then in the folders where JDKs are usually installed; there the oldest that is new
# enough wins, being the one most like what ffmpi is tested with. No JVM is started to look.

FFMPI_JDK_NEEDED=25

# Folders that hold one JDK each entry, colon-separated; can be set from outside.
FFMPI_JDK_FOLDERS=${FFMPI_JDK_FOLDERS:-/usr/lib/jvm:/usr/java:/usr/local/java:/opt/java:/opt:${HOME:-}/.sdkman/candidates/java:${HOME:-}/.jdks}

# ffmpi_jdk_version HOME: prints the feature number of the JDK there; fails when there is no complete JDK.
ffmpi_jdk_version() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  sed -n 's/^JAVA_VERSION="\([0-9][0-9]*\).*/\1/p' "$1/release" | grep .
}

# ffmpi_jdk_fits HOME: succeeds when a JDK that is new enough is there.
ffmpi_jdk_fits() {
  ffmpi_version=$(ffmpi_jdk_version "$1") && [ "$ffmpi_version" -ge "$FFMPI_JDK_NEEDED" ]
}

# ffmpi_jdk: prints the home of a JDK; otherwise says in one sentence what to install, and fails.
ffmpi_jdk() {
  if [ -n "${JAVA_HOME:-}" ] && ffmpi_jdk_fits "$JAVA_HOME"; then
    printf '%s\n' "$JAVA_HOME"
    return 0
  fi
  ffmpi_javac=$(command -v javac) && ffmpi_javac=$(readlink -f "$ffmpi_javac") || ffmpi_javac=
  if [ -n "$ffmpi_javac" ] && ffmpi_jdk_fits "${ffmpi_javac%/bin/javac}"; then
    printf '%s\n' "${ffmpi_javac%/bin/javac}"
    return 0
  fi
  ffmpi_best=
  ffmpi_best_version=
  ffmpi_rest=$FFMPI_JDK_FOLDERS:
  while [ -n "$ffmpi_rest" ]; do
    for ffmpi_home in "${ffmpi_rest%%:*}"/*; do
      if ffmpi_jdk_fits "$ffmpi_home"; then
        if [ -z "$ffmpi_best" ] || [ "$ffmpi_version" -lt "$ffmpi_best_version" ]; then
          ffmpi_best=$ffmpi_home
          ffmpi_best_version=$ffmpi_version
        fi
      fi
    done
    ffmpi_rest=${ffmpi_rest#*:}
  done
  if [ -n "$ffmpi_best" ]; then
    printf '%s\n' "$ffmpi_best"
    return 0
  fi
  echo "ffmpi needs a JDK $FFMPI_JDK_NEEDED or newer: install one, for example Temurin $FFMPI_JDK_NEEDED" \
    "(adoptium.net), under /usr/lib/jvm, ~/.jdks or SDKMAN, or set JAVA_HOME to it." >&2
  return 1
}

# ffmpi_mvn JDK ARGUMENT...: runs Maven on a JDK, and builds with it, whatever JAVA_HOME and PATH name. A file of Maven's
# own may set JAVA_HOME to another one: the build takes the JDK out of every JAVA*_HOME.
ffmpi_mvn() {
  ffmpi_home=$1
  shift
  JAVA_HOME=$ffmpi_home JAVA25_HOME=$ffmpi_home mvn "$@"
}
