package org.relaxvm.backendopencl.driver;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A handler of {@code SIGFPE} for a process in which both Java code and kernels divide by zero.
 *
 * <p>HotSpot throws an {@code ArithmeticException} at such a fault. Drivers of CPUs skip the
 * division, since OpenCL says that it raises nothing. The driver's handler does not ask whose code
 * it was. This one does: the JVM comes first, the driver gets what the JVM does not recognize.
 */
final class DivisionHandler {
  /** What HotSpot offers to handlers of others: whether it recognized a signal. */
  private static final String JVM_HANDLER = "JVM_handle_linux_signal";

  // push rdi; push rsi; push rdx; xor ecx, ecx; mov rax, ...
  private static final byte[] ASK = HexFormat.of().parseHex("57565231c948b8");

  // call rax; pop rdx; pop rsi; pop rdi; test eax, eax; jnz to the ret; mov rax, ...
  private static final byte[] PASS_ON = HexFormat.of().parseHex("ffd05a5e5f85c0750c48b8");

  // jmp rax; ret
  private static final byte[] END = HexFormat.of().parseHex("ffe0c3");

  private DivisionHandler() {}

  /**
   * Makes the handler.
   *
   * @param before what the signal did before the driver replaced it
   * @param driver what the driver has it do
   * @return empty where the handler cannot be made: on other processors than x86-64, with other
   *     JVMs than HotSpot, or where no machine code may be added
   */
  static Optional<SignalAction> of(SignalAction before, SignalAction driver) {
    if (!System.getProperty("os.arch").equals("amd64")
        || !before.takesContext()
        || !driver.takesContext()) {
      return Optional.empty();
    }
    return jvmHandler()
        .flatMap(jvm -> LibC.executable(code(jvm, driver.handler())))
        .map(before::withHandler);
  }

  private static byte[] code(long jvm, long driver) {
    return ByteBuffer.allocate(ASK.length + PASS_ON.length + END.length + 2 * Long.BYTES)
        .order(LITTLE_ENDIAN)
        .put(ASK)
        .putLong(jvm)
        .put(PASS_ON)
        .putLong(driver)
        .put(END)
        .array();
  }

  @SuppressWarnings("restricted") // the library of this JVM, which is loaded
  private static Optional<Long> jvmHandler() {
    Path library = Path.of(System.getProperty("java.home"), "lib", "server", "libjvm.so");
    try {
      return SymbolLookup.libraryLookup(library, Arena.global())
          .find(JVM_HANDLER)
          .map(MemorySegment::address);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
