package org.relaxvm.interoptvm.object;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.vmcore.binary.FileGuess;

/**
 * What a native library says about itself. Immutable; its bytes are those of the file, which must
 * stay as they are.
 *
 * <p>Only the tables of a library are read, so that the size of its data does not matter. Of
 * libraries that are 32-bit or big-endian only the target is known, and everything else is empty.
 *
 * @param defined the symbols that others see, by name
 * @param undefined the symbols that others must provide, each name once
 * @param needed the libraries that the loader adds, such as {@code libm.so.6}
 * @param ownName the name by which other libraries need this one, if it has one
 * @param asksForExecutableStack whether loading it makes the stacks of all threads executable
 * @param bindsNow whether a symbol that nobody provides fails the loading, not the first use
 * @param bytes the library's bytes, without other libraries in the same file; read-only
 */
public record ObjectFile(
    Target target,
    Map<String, ObjectSymbol> defined,
    List<UndefinedSymbol> undefined,
    List<String> needed,
    Optional<String> ownName,
    boolean asksForExecutableStack,
    boolean bindsNow,
    MemorySegment bytes) {
  private static final int HEAD = 64;

  /** Copies the collections. */
  public ObjectFile {
    // No Map.copyOf: names that were made to collide would take it quadratic time.
    defined = Collections.unmodifiableMap(new LinkedHashMap<>(defined));
    undefined = List.copyOf(undefined);
    needed = List.copyOf(needed);
  }

  /** A library of which only the target is known. */
  static ObjectFile unread(Target target, FileView view) {
    return new ObjectFile(
        target, Map.of(), List.of(), List.of(), Optional.empty(), false, false, view.bytes());
  }

  /**
   * Reads a library; of a file that holds several, the one for this JVM's processor.
   *
   * @param file the file's name in errors
   * @throws org.relaxvm.api.error.MalformedFileException when the bytes are no library or a damaged
   *     one
   */
  public static ObjectFile read(MemorySegment bytes, String file) {
    return read(bytes, file, System.getProperty("os.arch", ""));
  }

  /** Reads a library; of a file that holds several, the one for {@code osArch}, or the first. */
  static ObjectFile read(MemorySegment bytes, String file, String osArch) {
    FileView view = FileView.of(bytes.asReadOnly(), file);
    if (view.startsWith(0x7F, 'E', 'L', 'F')) {
      return ElfReader.read(view);
    }
    if (view.startsWith('M', 'Z')) {
      return PeReader.read(view);
    }
    if (FatFile.is(view)) {
      return FatFile.read(view, Machine.ofJvm(osArch));
    }
    if (MachOReader.is(view)) {
      return MachOReader.read(view);
    }
    FileGuess guess = FileGuess.ofNoExecutable(head(bytes));
    throw view.fail(
        0,
        "magic",
        "an ELF, Mach-O or PE library",
        "a file that is " + guess.what(),
        guess.remedy());
  }

  private static byte[] head(MemorySegment bytes) {
    return bytes.asSlice(0, Math.min(HEAD, bytes.byteSize())).toArray(ValueLayout.JAVA_BYTE);
  }

  /** The same, in a file that holds libraries for all these machines. */
  ObjectFile among(List<String> machines) {
    return new ObjectFile(
        target.among(machines),
        defined,
        undefined,
        needed,
        ownName,
        asksForExecutableStack,
        bindsNow,
        bytes);
  }

  /** Why a JVM with these properties cannot load the library; empty when it can. */
  public Optional<String> unfit(String osName, String osArch) {
    return target.unfit(osName, osArch);
  }

  /** A symbol that others see. */
  public Optional<ObjectSymbol> symbol(String name) {
    return Optional.ofNullable(defined.get(name));
  }

  /**
   * The bytes of a symbol that is no function: at most its size, and only those that are in the
   * file. Empty when there is no such symbol or the file has no place for it.
   */
  public Optional<MemorySegment> dataOf(String symbol) {
    return symbol(symbol)
        .filter(found -> found.kind() != ObjectSymbol.Kind.FUNCTION && found.fileOffset() >= 0)
        .map(found -> bytes.asSlice(found.fileOffset(), found.fileBytes()));
  }

  /**
   * The symbols that neither this library nor {@code provided} has and that it cannot do without.
   * The libraries it needs and the process may still have them.
   */
  public List<String> unresolved(Set<String> provided) {
    return undefined.stream()
        .filter(symbol -> !symbol.weak())
        .map(UndefinedSymbol::name)
        .filter(name -> !provided.contains(name) && !defined.containsKey(name))
        .toList();
  }
}
