package org.relaxvm.integrationtests.plugins;

import org.relaxvm.api.spi.BackendProvider;

/** The Java source of a backend provider without devices, with one thing changed by each test. */
final class ProviderSource {
  private static final String TEMPLATE =
      """
      package %1$s;
      import java.lang.foreign.*;
      import java.util.List;
      import org.relaxvm.api.error.*;
      import org.relaxvm.api.spi.*;
      public class Provider %2$s implements BackendProvider {
        %3$s
        public int spiVersion() { return %4$s; }
        public String name() { %5$s return "%1$s"; }
        public Probe probe() { %6$s return Probe.usable("fine"); }
        public Backend open(BackendOptions options) {
          %7$s
          return new Backend() {
            public String name() { return "%1$s"; }
            public List<Device> devices() { return List.of(); }
            public void close() {}
          };
        }
      }
      """;

  private final String name;
  private String superclass = "";
  private String members = "";
  private String version = "SpiVersion.CURRENT";
  private String naming = "";
  private String probing = "";
  private String opening = "";

  /** A provider of this name, in a package of this name. */
  ProviderSource(String name) {
    this.name = name;
  }

  ProviderSource superclass(String type) {
    superclass = "extends " + type;
    return this;
  }

  ProviderSource members(String code) {
    members = code;
    return this;
  }

  ProviderSource version(String expression) {
    version = expression;
    return this;
  }

  ProviderSource naming(String code) {
    naming = code;
    return this;
  }

  ProviderSource probing(String code) {
    probing = code;
    return this;
  }

  ProviderSource opening(String code) {
    opening = code;
    return this;
  }

  /** A jar with the provider, listed for the class path. */
  JarBuilder jar() {
    return unlistedJar().service(BackendProvider.class, name + ".Provider");
  }

  /** A jar with the provider that nothing lists. */
  JarBuilder unlistedJar() {
    return new JarBuilder()
        .source(
            name + "/Provider.java",
            TEMPLATE.formatted(name, superclass, members, version, naming, probing, opening));
  }
}
