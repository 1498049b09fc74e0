package org.relaxvm.backendvulkan.driver;

/** A call of Vulkan gave a code that means failure. Caught inside of this backend. */
public final class VulkanStatusException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String call;
  private final int code;

  /**
   * A failed call.
   *
   * @param call the function's name
   * @param code what it gave
   */
  public VulkanStatusException(String call, int code) {
    super(call + " failed with " + StatusNames.of(code));
    this.call = call;
    this.code = code;
  }

  /** The name of the function that failed, such as {@code vkQueueSubmit}. */
  public String call() {
    return call;
  }

  /** The code, negative. */
  public int code() {
    return code;
  }
}
