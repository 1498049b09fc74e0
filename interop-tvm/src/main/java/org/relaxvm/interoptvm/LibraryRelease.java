package org.relaxvm.interoptvm;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoptvm.library.LibraryBin;
import org.relaxvm.interoptvm.object.ObjectFile;

/**
 * Which releases of Apache TVM export a library like this, told by the name of the symbol that
 * holds the modules (docs/spec/native-library.md, section 1).
 */
enum LibraryRelease {
  FROM_0_22(LibraryBin.SYMBOL, "0.22 or newer"),
  OF_0_21("__tvm_ffi_library_bin", "0.21"),
  /** Its functions are called in another way. */
  UP_TO_0_20("__tvm_dev_mblob", "0.20 or older");

  private final String symbol;
  private final String releases;

  LibraryRelease(String symbol, String releases) {
    this.symbol = symbol;
    this.releases = releases;
  }

  /** The releases, for people. */
  String releases() {
    return releases;
  }

  /** The symbol that holds the modules. */
  String symbol() {
    return symbol;
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

  /**
   * The modules of a library.
   *
   * @throws InvalidProgramException when it has none, or those of an old release
   */
  static MemorySegment container(ObjectFile object, String file) {
    LibraryRelease release =
        of(object)
            .orElseThrow(
                () ->
                    new InvalidProgramException(
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
                            + "\n  what to do: give the file that export_library wrote"));
    if (release == UP_TO_0_20) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          file
              + " was exported by Apache TVM "
              + release.releases
              + ", whose functions are called in another way"
              + "\n  expected: a library of release "
              + OF_0_21.releases
              + " or newer, with the symbol "
              + FROM_0_22.symbol
              + "\n  got: the symbol "
              + release.symbol
              + "\n  what to do: export the model again with such a release");
    }
    return object
        .dataOf(release.symbol)
        .orElseThrow(
            () ->
                new InvalidProgramException(
                    ErrorKind.VALUE,
                    file
                        + " is damaged: its symbol "
                        + release.symbol
                        + " is not in the file\n  what to do: copy or export it again"));
  }
}
