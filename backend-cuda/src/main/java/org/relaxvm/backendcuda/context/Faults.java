package org.relaxvm.backendcuda.context;

import java.util.Map;

/** Codes of CUDA after which a device cannot be used any more. Stateless. */
final class Faults {
  private static final String KERNEL =
      "CUDA_LAUNCH_BLOCKING=1 in the environment then names the kernel for certain, and"
          + " 'compute-sanitizer' the instruction in it";

  private static final String HARDWARE =
      "if it happens again, look at 'nvidia-smi -q' and for messages of the driver (Xid) in the"
          + " system's log";

  /** What each code means. */
  private static final Map<Integer, Fault> ALL =
      Map.ofEntries(
          Map.entry(4, new Fault("the driver is shutting down", false)),
          Map.entry(101, new Fault("the device is not there any more", false)),
          Map.entry(201, new Fault("the device's context is not valid any more", false)),
          Map.entry(
              214, new Fault("the device's memory has an error that cannot be corrected", false)),
          Map.entry(220, new Fault("the link to another device has an error", false)),
          Map.entry(
              226, new Fault("the device's memory or a link to another one has an error", false)),
          Map.entry(700, new Fault("a kernel used an address that is not in its memory", true)),
          Map.entry(702, new Fault("a kernel ran longer than the system allows", true)),
          Map.entry(709, new Fault("the device's context was destroyed by other code", false)),
          Map.entry(710, new Fault("an assertion of a kernel failed", true)),
          Map.entry(714, new Fault("a kernel's stack is damaged or too small", true)),
          Map.entry(
              715, new Fault("a kernel has an instruction that the device does not know", true)),
          Map.entry(716, new Fault("a kernel used an address that is not aligned", true)),
          Map.entry(717, new Fault("a kernel used an address of another kind of memory", true)),
          Map.entry(718, new Fault("a kernel jumped to an address that holds no code", true)),
          Map.entry(719, new Fault("a kernel failed while it ran", true)),
          Map.entry(721, new Fault("a kernel did not give memory of tensor cores back", true)),
          Map.entry(911, new Fault("another device that work waited for has failed", false)),
          Map.entry(999, new Fault("the driver does not say why", false)));

  private Faults() {}

  /**
   * What a code means.
   *
   * @param reason as a sentence
   * @param isKernels whether a kernel is at fault
   */
  record Fault(String reason, boolean isKernels) {
    /** What shows more of it. */
    String whatShowsMore() {
      return isKernels ? KERNEL : HARDWARE;
    }
  }

  /** Whether nothing works after a code any more. */
  static boolean areLasting(int code) {
    return ALL.containsKey(code);
  }

  /** What a code means; the words for an unknown one when it is another. */
  static Fault of(int code) {
    return ALL.getOrDefault(code, new Fault("work that was accepted before failed", false));
  }
}
