package org.relaxvm.interoptvm;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoptvm.library.LibraryBin;
import org.relaxvm.interoptvm.load.Convention;
import org.relaxvm.interoptvm.object.ObjectFile;

/**
 * Which releases of Apache TVM export a library like this, told by the name of the symbol that
 * holds the modules (docs/spec/native-library.md, section 1).
 */
enum LibraryRelease {
  FROM_0_22(LibraryBin.SYMBOL, "0.22 or newer", Convention.FROM_0_21),
  OF_0_21("__tvm_ffi_library_bin", "0.21", Convention.FROM_0_21),
  UP_TO_0_20(LibraryBin.OLD_SYMBOL, "0.20 or older", Convention.UP_TO_0_20);

  private final String symbol;
  private final String releases;
  private final Convention convention;

  LibraryRelease(String symbol, String releases, Convention convention) {
    this.symbol = symbol;
    this.releases = releases;
    this.convention = convention;
  }

  /** The releases, for people. */
  String releases() {
    return releases;
  }

  /** The symbol that holds the modules. */
  String symbol() {
    return symbol;
  }

  /** How functions are called. */
  Convention convention() {
    return convention;
  }

  /** The release of a library, if it is one. */
  static Optional<LibraryRelease> of(ObjectFile object) {
    for (LibraryRelease release : values()) {
      if (object.defined().containsKey(release.symbol)) {
        return Optional.of(release);
      }
    }
    return Optional.empty();
  }

  /** The error of a library without modules. */
  static InvalidProgramException unknown(ObjectFile object, String file) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        file
            + " is a native library that holds no program"
            + "\n  expected: the symbol "
            + LibraryBin.SYMBOL
            + ", which Apache TVM writes"
            + "\n  got: "
            + (object.target().wordBits() == 64
                ? object.defined().size() + " other symbols"
                : "a " + object.target().wordBits() + "-bit library")
            + "\n  what to do: give the file that export_library wrote");
  }

  /**
   * The modules of a library of this release.
   *
   * @throws InvalidProgramException when the file lacks them
   */
  LibraryBin container(ObjectFile object, String file) {
    MemorySegment content =
        object
            .dataOf(symbol)
            .orElseThrow(
                () ->
                    new InvalidProgramException(
                        ErrorKind.VALUE,
                        file
                            + " is damaged: its symbol "
                            + symbol
                            + " is not in the file\n  what to do: copy or export it again"));
    return this == UP_TO_0_20 ? LibraryBin.readOld(content) : LibraryBin.read(content);
  }
}
