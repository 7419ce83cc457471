plugins { application }

repositories { mavenLocal(); mavenCentral() }

java { toolchain { languageVersion = JavaLanguageVersion.of(25) } }

dependencies {
  implementation("org.ffmpi:ffmpi:@project.version@")
  testImplementation("org.ffmpi:ffmpi-testkit:@project.version@")
  testRuntimeOnly("org.junit.platform:junit-platform-launcher:1.14.4")
}

application {
  mainClass = "${package}.Main"
  applicationDefaultJvmArgs = listOf("--enable-native-access=ALL-UNNAMED")
}

tasks.test {
  useJUnitPlatform()
  jvmArgs("--enable-native-access=ALL-UNNAMED")
}

// gradle mpirun -Pranks=4
tasks.register<JavaExec>("mpirun") {
  val path = sourceSets.main.get().runtimeClasspath
  classpath = path
  mainClass = "org.ffmpi.launcher.MpirunMain"
  jvmArgs("--enable-native-access=ALL-UNNAMED")
  args("-n", providers.gradleProperty("ranks").getOrElse("4"), "-cp", path.asPath, "${package}.Main")
}
