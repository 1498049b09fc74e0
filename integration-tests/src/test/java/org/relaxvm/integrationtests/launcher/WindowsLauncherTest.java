package org.relaxvm.integrationtests.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.integrationtests.ProjectRoot;

/** The text of {@code relaxvm.cmd} agrees with {@code relaxvm}; only Windows can run it. */
class WindowsLauncherTest {
  private String shell = "";
  private String batch = "";

  @BeforeEach
  void readBoth() throws IOException {
    shell = read("relaxvm");
    batch = read("relaxvm.cmd");
  }

  private static String read(String file) throws IOException {
    return Files.readString(ProjectRoot.path().resolve(file)).replace("\r\n", "\n");
  }

  @Test
  void bothReadTheSameVariables() {
    Pattern variable = Pattern.compile("RELAXVM_[A-Z_]+");
    assertThat(found(batch, variable, 0))
        .isEqualTo(found(shell, variable, 0))
        .contains("RELAXVM_JAVA_HOME", "RELAXVM_JAVA_OPTS");
  }

  @Test
  void bothStartTheSameClassWithTheSameFlags() {
    for (String name : List.of("min_java", "main_class", "jvm_flags")) {
      Set<String> inShell =
          found(shell, Pattern.compile("(?m)^" + name + "=\"?([^\"\\n]+)\"?$"), 1);
      assertThat(inShell).as(name).hasSize(1);
      assertThat(found(batch, Pattern.compile("(?m)^set \"" + name + "=(.*)\"$"), 1))
          .as(name)
          .isEqualTo(inShell);
    }
    assertThat(batch)
        .contains(
            "bin\\java\" %jvm_flags% %RELAXVM_JAVA_OPTS% \"-Drelaxvm.plugins=%plugin_dirs%\" -cp"
                + " \"%class_path%\" %main_class% %arguments%\n");
  }

  @Test
  void bothBuildTheSameWayAndUseTheSameJars() {
    Pattern build = Pattern.compile("-Dquick -Dmaven.test.skip=true[ \\\\\n]+-pl cli -am package");
    assertThat(shell).containsPattern(build);
    assertThat(batch).containsPattern(build);
    for (String folder :
        List.of("target/launcher", "cli/target/quick", "cli/target/quick/lib", "plugins")) {
      assertThat(shell).contains("/" + folder);
      assertThat(batch).contains("\\" + folder.replace('/', '\\'));
    }
    assertThat(batch)
        .contains("set \"class_path=%lib%\\*\"")
        .contains("set \"class_path=%class_path%;%%~a\\*\"");
  }

  @Test
  void bothRefuseMissingPluginFoldersInTheSameWords() {
    for (String words :
        List.of(
            "--plugins needs a folder with jars after it.",
            "does not exist. --plugins takes a folder with jars; every jar in it goes on the class"
                + " path.")) {
      assertThat(shell).contains(words);
      assertThat(batch).contains(words);
    }
  }

  @Test
  void everyLabelThatIsJumpedToExists() {
    Set<String> labels = found(batch, Pattern.compile("(?m)^:(\\w+)$"), 1);
    assertThat(labels).isEqualTo(found(batch, Pattern.compile("(?:goto |call :)(\\w+)"), 1));
  }

  @Test
  void gitWritesItWithTheLineEndsOfWindows() throws IOException {
    assertThat(read(".gitattributes").lines()).contains("*.cmd text eol=crlf");
  }

  private static Set<String> found(String text, Pattern pattern, int group) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(group))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
