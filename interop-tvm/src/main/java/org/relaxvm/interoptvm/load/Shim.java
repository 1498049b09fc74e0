package org.relaxvm.interoptvm.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.interoptvm.abi.RawMemory;
import org.relaxvm.interoptvm.call.HostFunctions;
import org.relaxvm.interoptvm.object.Machine;
import org.relaxvm.interoptvm.shim.ElfShim;
import org.relaxvm.interoptvm.shim.RuntimeSymbols;

/**
 * The one library of this process through which compiled code finds the functions of the host by
 * name: a few instructions that jump where a table says. Libraries that Apache TVM exports leave
 * some names to whoever loads them, and the dynamic linker looks for those among libraries only.
 *
 * <p>The dynamic linker takes the first library that has a name, so two class loaders of one
 * process share it: the table belongs to the one that has libraries open. Thread-safe.
 */
final class Shim {
  private static final List<String> FUNCTIONS = RuntimeSymbols.ALL;

  /** The last ones are of the shim's own making and need no word of the table. */
  private static final List<String> SYMBOLS =
      Stream.concat(FUNCTIONS.stream(), Stream.of(ElfShim.STACK_POINTER, ElfShim.CALL_WITHIN))
          .toList();

  private static final String SONAME = "librelaxvm-shim.so";
  private static final long WORD = 8;

  /** The lock of all class loaders: the table is the process's. */
  private static final Object PROCESS = Runtime.getRuntime();

  private final long table;

  private Shim(long table) {
    this.table = table;
  }

  /**
   * Makes the functions of the host known to the process, for a library that is opened next.
   *
   * @throws LinkException when that cannot be done, or another class loader has libraries open
   */
  static Shim acquire() {
    synchronized (PROCESS) {
      long table = DynamicLinker.symbolOfProcess(ElfShim.TABLE);
      if (table == 0) {
        requireNoOther();
      }
      Shim shim = new Shim(table != 0 ? table : load());
      shim.own();
      shim.addUsers(1);
      return shim;
    }
  }

  /** Libraries would call the functions of the other one, which are laid out in another way. */
  private static void requireNoOther() {
    if (DynamicLinker.symbolOfProcess(ElfShim.STACK_POINTER) != 0) {
      throw new LinkException(
          ErrorKind.RUNTIME,
          "another version of relaxvm-interop-tvm has opened libraries of Apache TVM in this"
              + " process\n  what to do: use one version in all class loaders, or processes of"
              + " their own");
    }
  }

  /** To be called once for each library that was opened, after it is closed. */
  void release() {
    synchronized (PROCESS) {
      addUsers(-1);
    }
  }

  /** The address of a function of the shim: one that the host lacks, or that is faster here. */
  long own(String function) {
    // Not by its symbol: a runtime of Apache TVM in this process may have the same.
    return table + ElfShim.distanceFromTable(machine(), SONAME, SYMBOLS, function);
  }

  private static Machine machine() {
    return Machine.ofJvm(System.getProperty("os.arch", ""));
  }

  private void own() {
    long first = HostFunctions.address(FUNCTIONS.getFirst());
    if (RawMemory.getLong(table) == first) {
      return;
    }
    if (users() > 0) {
      throw new LinkException(
          ErrorKind.RUNTIME,
          "another class loader of this process runs libraries of Apache TVM ("
              + users()
              + " open)\n"
              + "  what to do: put relaxvm-interop-tvm where both find it, such as the class path"
              + " of the server, or close the virtual machines of the other one first");
    }
    for (int i = 0; i < FUNCTIONS.size(); i++) {
      RawMemory.putLong(table + WORD * i, HostFunctions.address(FUNCTIONS.get(i)));
    }
  }

  private long users() {
    return RawMemory.getLong(table + WORD * SYMBOLS.size());
  }

  private void addUsers(long number) {
    RawMemory.putLong(table + WORD * SYMBOLS.size(), users() + number);
  }

  private static long load() {
    byte[] image = ElfShim.image(machine(), SONAME, SYMBOLS);
    try {
      Path file = Files.createTempFile("relaxvm-shim", ".so");
      try {
        Files.write(file, image);
        DynamicLinker.Opened opened = DynamicLinker.openGlobal(file.toString());
        long table =
            opened.handle() == 0 ? 0 : DynamicLinker.symbol(opened.handle(), ElfShim.TABLE);
        if (table == 0) {
          throw new LinkException(
              ErrorKind.RUNTIME,
              "cannot load "
                  + file
                  + ", which libraries of Apache TVM need: "
                  + opened.problem()
                  + "\n  what to do: name a folder from which code may be run, with"
                  + " -Djava.io.tmpdir=FOLDER");
        }
        return table;
      } finally {
        // The process keeps what it has mapped.
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new LinkException(
          ErrorKind.IO,
          "cannot write a file of "
              + image.length
              + " bytes into java.io.tmpdir: "
              + e.getMessage(),
          e);
    }
  }
}
