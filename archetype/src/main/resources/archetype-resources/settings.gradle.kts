rootProject.name = "${artifactId}"
