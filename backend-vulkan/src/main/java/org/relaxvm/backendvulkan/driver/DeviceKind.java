package org.relaxvm.backendvulkan.driver;

/** What a device is, those first that are mostly the fastest. */
public enum DeviceKind {
  /** A card with memory of its own. */
  DISCRETE("discrete GPU", 2),
  /** Part of the processor, with whose memory it works. */
  INTEGRATED("integrated GPU", 1),
  /** A GPU of a virtual machine. */
  VIRTUAL("virtual GPU", 3),
  /** Something else. */
  OTHER("other", 0),
  /** Software, which runs on the processor. */
  CPU("CPU", 4);

  private final String words;
  private final int code;

  DeviceKind(String words, int code) {
    this.words = words;
    this.code = code;
  }

  /** The kind of a {@code VkPhysicalDeviceType}. */
  static DeviceKind of(int code) {
    for (DeviceKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    return OTHER;
  }

  /** For people, such as {@code discrete GPU}. */
  public String words() {
    return words;
  }

  /** Whether its memory is the host's, so that the host may read and write it in place. */
  public boolean sharesHostMemory() {
    return this == INTEGRATED || this == CPU;
  }
}
