package org.relaxvm.integrationtests.rules;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.relaxvm.integrationtests.OurModules;
import org.relaxvm.integrationtests.ProjectRoot;

/** What a release to Maven Central needs of the POMs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReleaseRulesTest {
  private static final Path ROOT = ProjectRoot.path();
  private static final String PROFILE = "/project/profiles/profile[id='release']";
  private static final String PLUGINS = "/build/plugins/plugin";

  /** Elements that Central demands and that modules inherit. */
  private static final List<String> INHERITED =
      List.of(
          "/project/url",
          "/project/licenses/license/name",
          "/project/licenses/license/url",
          "/project/developers/developer/name",
          "/project/developers/developer/url",
          "/project/scm/connection",
          "/project/scm/developerConnection",
          "/project/scm/url");

  private static final List<String> UNPUBLISHED =
      List.of(
          "benchmarks",
          "examples/digits",
          "examples/embeddings",
          "examples/encoder",
          "integration-tests");

  private final Pom root;
  private final Map<String, Pom> modules = new TreeMap<>();

  ReleaseRulesTest() throws IOException {
    root = Pom.read(ROOT.resolve("pom.xml"));
    for (String module : root.texts("/project/modules/module")) {
      modules.put(module, Pom.read(ROOT.resolve(module).resolve("pom.xml")));
    }
  }

  @Test
  void eachModuleIsEitherPublishedOrListedAsUnpublished() {
    assertThat(root.text("/project/properties/maven.deploy.skip")).isEqualTo("false");
    List<String> published = new ArrayList<>(List.of("bom"));
    OurModules.all().stream()
        .map(module -> Path.of(module.location().orElseThrow()))
        .map(built -> ROOT.relativize(built).getName(0).toString())
        .forEach(published::add);
    modules.forEach(
        (module, pom) ->
            assertThat(pom.text("/project/properties/maven.deploy.skip"))
                .as("maven.deploy.skip of %s", module)
                .isEqualTo(UNPUBLISHED.contains(module) ? "true" : ""));
    assertThat(modules.keySet())
        .containsExactlyInAnyOrderElementsOf(concatenate(published, UNPUBLISHED));
  }

  @Test
  void centralGetsNoUnpublishedModule() {
    assertThat(root.texts(PROFILE + "//excludeArtifacts/excludeArtifact"))
        .containsExactlyInAnyOrderElementsOf(
            UNPUBLISHED.stream().map(module -> pom(module).text("/project/artifactId")).toList());
  }

  @Test
  void theReleaseProfileLeavesUnpublishedModulesOut() {
    String skip = "[.='${maven.deploy.skip}']";
    for (String flag :
        List.of(
            "[artifactId='maven-source-plugin']/configuration/skipSource",
            "[artifactId='maven-javadoc-plugin']/configuration/skip",
            "[artifactId='cyclonedx-maven-plugin']/configuration/skip",
            "[artifactId='japicmp-maven-plugin']/configuration/skip")) {
      assertThat(root.texts(PROFILE + PLUGINS + flag + skip)).as(flag).hasSize(1);
    }
  }

  @Test
  void publishedModulesHaveTheMetadataThatCentralDemands() {
    for (String element : INHERITED) {
      assertThat(root.text(element)).as("%s of pom.xml", element).isNotEmpty();
      modules.forEach(
          (module, pom) -> {
            boolean inherits = pom.text("/project/parent/artifactId").equals("relaxvm-parent");
            assertThat(pom.text(element))
                .as("%s of %s/pom.xml", element, module)
                .isEqualTo(inherits ? "" : root.text(element));
          });
    }
    modules.forEach(
        (module, pom) -> {
          assertThat(pom.text("/project/name")).as("name of %s", module).startsWith("RelaxVM :: ");
          assertThat(pom.text("/project/description")).as("description of %s", module).isNotEmpty();
        });
    assertThat(root.text("/project/name")).isNotEmpty();
    assertThat(root.text("/project/description")).isNotEmpty();
  }

  /** Otherwise Maven appends the module's name to inherited addresses. */
  @Test
  void modulesInheritAddressesAsTheyAre() {
    assertThat(
            root.texts(
                "/project[@child.project.url.inherit.append.path='false']"
                    + "/scm[@child.scm.connection.inherit.append.path='false'"
                    + " and @child.scm.developerConnection.inherit.append.path='false'"
                    + " and @child.scm.url.inherit.append.path='false']"))
        .hasSize(1);
  }

  @Test
  void archivesHaveAFixedTimestamp() {
    String timestamp = root.text("/project/properties/project.build.outputTimestamp");
    assertThat(OffsetDateTime.parse(timestamp).getYear()).isBetween(2026, 2100);
  }

  @Test
  void pluginsOfTheReleaseProfileArePinned() {
    List<String> plugins =
        root.plugins(PROFILE + PLUGINS + "[artifactId!='maven-enforcer-plugin']");
    assertThat(plugins)
        .hasSizeGreaterThan(4)
        .allSatisfy(plugin -> assertThat(plugin).matches("[a-z-]+:\\d+(\\.\\d+)+"));
    assertThat(root.plugins("/project" + PLUGINS + "[artifactId='maven-enforcer-plugin']"))
        .singleElement()
        .asString()
        .matches("maven-enforcer-plugin:\\d+(\\.\\d+)+");
    // The BOM has no parent, and with it no profile of its parent.
    assertThat(pom("bom").plugins(PROFILE + PLUGINS))
        .containsExactlyElementsOf(
            plugins.stream().filter(plugin -> plugin.startsWith("central-publishing")).toList());
  }

  @Test
  void theScriptOfTheApiComparisonExists() {
    String script = root.text(PROFILE + "//postAnalysisScript");
    assertThat(script).startsWith("${maven.multiModuleProjectDirectory}/");
    assertThat(Files.exists(ROOT.resolve(script.substring(script.indexOf('/') + 1)))).isTrue();
  }

  private Pom pom(String module) {
    return requireNonNull(modules.get(module), module);
  }

  private static List<String> concatenate(List<String> first, List<String> second) {
    List<String> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }
}
