package org.relaxvm.integrationtests.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.registry.Diagnosis;

/** A class path of plugin jars on top of RelaxVM's own, and the registry that discovers it. */
record PluginPath(URLClassLoader loader, BackendRegistry registry) implements AutoCloseable {
  static PluginPath of(Path... jars) throws IOException {
    URL[] urls = new URL[jars.length];
    for (int i = 0; i < jars.length; i++) {
      urls[i] = jars[i].toUri().toURL();
    }
    URLClassLoader loader = new URLClassLoader(urls, PluginPath.class.getClassLoader());
    return new PluginPath(loader, BackendRegistry.discover(loader));
  }

  /**
   * Every diagnosis, with backends opened, that does not say usable, but for backends of devices
   * that this machine lacks.
   */
  List<String> faults() {
    List<String> faults = new ArrayList<>(faultsOf(registry));
    try (BackendRegistry own = BackendRegistry.discover(PluginPath.class.getClassLoader())) {
      faults.removeAll(faultsOf(own));
    }
    return faults;
  }

  private static List<String> faultsOf(BackendRegistry registry) {
    return registry.diagnoseDevices().stream()
        .filter(found -> found.state() != Diagnosis.State.USABLE)
        .map(Diagnosis::toString)
        .toList();
  }

  void requireGoodPluginToWork() {
    assertThat(registry.require("acme:0")).hasToString("acme:0");
    assertThat(registry.findFunction("acme.double")).isPresent();
    assertThat(registry.host()).hasToString("cpu:0");
  }

  @Override
  public void close() throws IOException {
    registry.close();
    loader.close();
  }
}
