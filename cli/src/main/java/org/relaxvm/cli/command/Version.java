package org.relaxvm.cli.command;

import picocli.CommandLine.IVersionProvider;

/** The version from the jar's manifest, and the JVM's. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "relaxvm " + text(),
      "Java " + Runtime.version() + " (" + System.getProperty("java.vm.name") + ")"
    };
  }

  static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development build" : version;
  }
}
