package org.relaxvm.api.spi;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * Kernels in a form that a device may take.
 *
 * <p>Formats with a meaning beyond one backend:
 *
 * <table>
 *   <caption>Formats</caption>
 *   <tr><th>format</th><th>content</th></tr>
 *   <tr><td>{@code tir}</td><td>loops of the compiler, for devices that generate code
 *     themselves</td></tr>
 *   <tr><td>{@code opencl-c}</td><td>OpenCL C in UTF-8, one program; it may declare further kernels
 *     that are not in {@code symbols} and have no body</td></tr>
 *   <tr><td>{@code spirv}</td><td>one SPIR-V module, words in little-endian order; its entry points
 *     are the symbols</td></tr>
 *   <tr><td>{@code cuda-c}</td><td>CUDA C++ in UTF-8 for a compiler at run time (NVRTC); symbols
 *     are {@code extern "C"}</td></tr>
 *   <tr><td>{@code ptx}</td><td>PTX text without a terminating zero, which the driver needs to be
 *     appended</td></tr>
 *   <tr><td>{@code cubin}, {@code fatbin}</td><td>machine code of one or several GPUs of
 *     NVIDIA</td></tr>
 *   <tr><td>{@code hsaco}</td><td>a code object for AMD GPUs</td></tr>
 *   <tr><td>{@code xclbin}, {@code awsxclbin}, {@code aocx}</td><td>binary programs of OpenCL
 *     devices</td></tr>
 * </table>
 *
 * @param format one of these or a backend's own; the device says which it takes
 * @param symbols names of the functions in the image
 * @param bytes the content, read-only and not aligned; valid during the call that gets the image
 * @param entries how the functions are called and launched, for those that the backend's own
 *     compiler did not make; each is the name of a symbol. A symbol without an entry is called as
 *     the format says: the backend knows
 */
public record ModuleImage(
    String format, List<String> symbols, MemorySegment bytes, List<KernelEntry> entries) {
  /**
   * Copies the lists.
   *
   * @throws InvalidProgramException when an entry is no symbol, or two have one name
   */
  public ModuleImage {
    symbols = List.copyOf(symbols);
    bytes = bytes.asReadOnly();
    entries = List.copyOf(entries);
    Set<String> left = new HashSet<>(symbols);
    for (KernelEntry entry : entries) {
      if (!left.remove(entry.name())) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            "entry '"
                + entry.name()
                + "' of a module image must be one of its symbols, once; the symbols are "
                + symbols);
      }
    }
  }

  /** An image whose format says how its functions are called. */
  public ModuleImage(String format, List<String> symbols, MemorySegment bytes) {
    this(format, symbols, bytes, List.of());
  }
}
