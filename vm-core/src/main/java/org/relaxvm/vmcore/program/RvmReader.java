package org.relaxvm.vmcore.program;

import java.nio.file.Path;

/**
 * Reads {@code .rvm} packages, as {@link RvmWriter} describes them: code, metadata and kernels are
 * compared with their digests, constants are mapped and not read. Thread-safe.
 */
public final class RvmReader implements ProgramReader {
  @Override
  public int spiVersion() {
    return SPI_VERSION;
  }

  @Override
  public String name() {
    return "rvm";
  }

  @Override
  public String describe() {
    return "a RelaxVM package, a zip archive that starts with manifest.json";
  }

  @Override
  public boolean accepts(FileHead head) {
    return head.hasTextAt(0, "PK\3\4")
        && head.hasAt(26, RvmManifest.NAME.length(), 0)
        && head.hasTextAt(30, RvmManifest.NAME);
  }

  @Override
  public Program read(Path path, LoadOptions options) {
    return open(path).program();
  }

  /**
   * Opens a package to look into it or to verify it.
   *
   * @throws org.relaxvm.api.error.MalformedFileException when the file is missing or damaged
   */
  public static RvmPackage open(Path path) {
    return RvmPackage.open(path);
  }
}
