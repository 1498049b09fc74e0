package org.relaxvm.vmcore.program;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableReader;
import org.relaxvm.vmcore.executable.ReadOptions;
import org.relaxvm.vmcore.verify.Verifier;
import org.relaxvm.vmcore.zip.Checksums;
import org.relaxvm.vmcore.zip.StoredEntry;
import org.relaxvm.vmcore.zip.StoredZip;
import org.relaxvm.vmcore.zip.StoredZipWriter;

/**
 * An open {@code .rvm} package whose directory and manifest were checked against the file and each
 * other. Immutable and thread-safe; nothing needs to be closed.
 */
public final class RvmPackage {
  private static final long MAX_TEXT_BYTES = 1L << 26;

  private final String file;
  private final Map<String, StoredEntry> entries;
  private final RvmManifest manifest;

  private RvmPackage(String file, Map<String, StoredEntry> entries, RvmManifest manifest) {
    this.file = file;
    this.entries = entries;
    this.manifest = manifest;
  }

  static RvmPackage open(Path path) {
    String file = path.toAbsolutePath().toString();
    Map<String, StoredEntry> entries = StoredZip.read(file, FileBytes.map(path));
    StoredEntry entry = entries.get(RvmManifest.NAME);
    if (entry == null) {
      throw new MalformedFileException(
          ErrorKind.VALUE,
          file
              + " is no RelaxVM package: it has no entry manifest.json among "
              + entries.keySet().stream().limit(10).collect(Collectors.joining(", ", "[", "]")));
    }
    if (!entry.matchesCrc()) {
      throw damaged(file, "the checksum of manifest.json does not match its content");
    }
    RvmManifest manifest = RvmManifest.read(file, text(file, entry));
    RvmPackage result = new RvmPackage(file, entries, manifest);
    result.checkEntries();
    return result;
  }

  /** Every entry's name and size in bytes, in the order of the file. */
  public Map<String, Long> entrySizes() {
    Map<String, Long> sizes = new LinkedHashMap<>();
    entries.forEach((name, entry) -> sizes.put(name, entry.byteSize()));
    return sizes;
  }

  /**
   * The program; code, metadata and kernels are compared with their digests first.
   *
   * @throws MalformedFileException when a digest or a constant's description does not match
   * @throws org.relaxvm.api.error.InvalidProgramException when the verifier refuses the program
   */
  public Program program() {
    Set<String> constants =
        manifest.constants().stream().map(RvmManifest.Constant::entry).collect(Collectors.toSet());
    manifest
        .entries()
        .forEach(
            (name, content) -> {
              if (!constants.contains(name)) {
                checkDigest(name, content);
              }
            });
    ProgramMetadata metadata =
        ProgramMetadata.fromJson(text(file, requireEntry(RvmManifest.METADATA)));
    Executable inner =
        ExecutableReader.read(
            requireEntry(RvmManifest.PROGRAM).content(),
            ReadOptions.DEFAULT.withStrict(true).withAcceptance(Verifier::verify));
    return Program.of(putIn(inner), metadata, kernels()).withSource(file);
  }

  /**
   * Compares every entry with its digest, constants included; reads the whole file.
   *
   * @throws MalformedFileException that names the first entry that does not match
   */
  public void verifyAll() {
    manifest.entries().forEach(this::checkDigest);
  }

  private void checkEntries() {
    manifest
        .entries()
        .forEach(
            (name, content) -> {
              long size = requireEntry(name).byteSize();
              if (size != content.byteSize()) {
                throw damaged(
                    file,
                    "entry '"
                        + name
                        + "' has "
                        + size
                        + " bytes, but manifest.json says "
                        + content.byteSize());
              }
            });
    for (String name : entries.keySet()) {
      if (!name.equals(RvmManifest.NAME)) {
        requireListed(name);
      }
    }
    requireListed(RvmManifest.METADATA);
    requireListed(RvmManifest.PROGRAM);
    manifest.constants().forEach(constant -> requireListed(constant.entry()));
    manifest.kernels().forEach(kernel -> requireListed(kernel.entry()));
  }

  private void checkDigest(String name, RvmManifest.Content content) {
    String expected = content.sha256();
    String got = Checksums.sha256(requireEntry(name).content());
    if (!got.equals(expected)) {
      throw damaged(
          file,
          "entry '" + name + "' has the SHA-256 " + got + ", but manifest.json says " + expected);
    }
  }

  /** The executable with the constants of the package in its pool. */
  private Executable putIn(Executable inner) {
    List<Object> constants = new ArrayList<>(inner.constants());
    Set<Integer> seen = new HashSet<>();
    for (RvmManifest.Constant constant : manifest.constants()) {
      int index = constant.index();
      boolean reserved =
          index < constants.size()
              && constants.get(index) instanceof Tensor placeholder
              && placeholder.elementCount() == 0
              && seen.add(index);
      if (!reserved) {
        throw damaged(
            file,
            "manifest.json has a constant " + index + " for which program.bin has no placeholder");
      }
      constants.set(index, mapped(constant));
    }
    return new Executable(
        inner.functions(), constants, inner.memoryScopes(), inner.offsets(), inner.words());
  }

  private Tensor mapped(RvmManifest.Constant constant) {
    StoredEntry entry = requireEntry(constant.entry());
    long bytes = byteSize(constant);
    if (bytes != entry.byteSize()) {
      throw damaged(
          file,
          "constant "
              + constant.index()
              + " is "
              + constant.dtype()
              + constant.shape()
              + " and needs "
              + bytes
              + " bytes, but entry '"
              + constant.entry()
              + "' has "
              + entry.byteSize());
    }
    if (entry.dataOffset() % StoredZipWriter.ALIGNMENT != 0) {
      throw new MalformedFileException(
          ErrorKind.VALUE,
          file
              + ": entry '"
              + constant.entry()
              + "' starts at byte "
              + entry.dataOffset()
              + ", which is no multiple of "
              + StoredZipWriter.ALIGNMENT
              + ", so it cannot be mapped; write the package with RelaxVM, not with a zip tool");
    }
    return Tensor.wrap(entry.content(), constant.dtype(), constant.shape());
  }

  private long byteSize(RvmManifest.Constant constant) {
    try {
      return constant.dtype().byteSize(constant.shape().elementCount());
    } catch (CallException e) {
      throw damaged(file, "constant " + constant.index() + ": " + e.summary());
    }
  }

  private List<KernelModule> kernels() {
    List<KernelModule> modules = new ArrayList<>();
    for (RvmManifest.Kernel kernel : manifest.kernels()) {
      MemorySegment content = requireEntry(kernel.entry()).content();
      modules.add(new KernelModule(kernel.device(), image(kernel, content)));
    }
    return modules;
  }

  private ModuleImage image(RvmManifest.Kernel kernel, MemorySegment content) {
    try {
      return new ModuleImage(kernel.format(), kernel.symbols(), content, kernel.launches());
    } catch (InvalidProgramException e) {
      throw damaged(file, "kernels in entry '" + kernel.entry() + "': " + e.summary());
    }
  }

  private StoredEntry requireEntry(String name) {
    StoredEntry entry = entries.get(name);
    if (entry == null) {
      throw damaged(file, "manifest.json names the entry '" + name + "', which is missing");
    }
    return entry;
  }

  private void requireListed(String name) {
    if (!manifest.entries().containsKey(name)) {
      throw damaged(file, "entry '" + name + "' is not listed in manifest.json");
    }
  }

  private static String text(String file, StoredEntry entry) {
    if (entry.byteSize() > MAX_TEXT_BYTES) {
      throw damaged(
          file,
          "entry '"
              + entry.name()
              + "' has "
              + entry.byteSize()
              + " bytes, but at most "
              + MAX_TEXT_BYTES
              + " are read");
    }
    return new String(entry.content().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
  }

  private static MalformedFileException damaged(String file, String what) {
    return new MalformedFileException(
        ErrorKind.VALUE, file + " is damaged: " + what + "; get or write the file again");
  }
}
