package org.relaxvm.api.spi;

import java.util.Set;

/**
 * Implemented by a {@link Device} that takes kernels at run time. The one way in for compiled
 * programs, for device modules of other compilers and for third parties.
 *
 * <p>Rationale: docs/rationale/api.md, "Why are kernel loading and peer copies separate
 * interfaces?"
 */
public interface ModuleLoader {
  /** The formats that {@link #loadModule} takes. Does not change. */
  Set<String> formats();

  /**
   * Compiles or links an image for this device. The caller closes the module. Where the image has
   * {@linkplain ModuleImage#entries entries}, its functions are called as {@link KernelEntry} says.
   * An image may be one of hundreds, of which a program calls a few, so what is slow may wait for
   * the first call.
   *
   * <p>A kernel that the device cannot compute is left out: {@link Module#find} is empty for it,
   * and {@link Module#lacks} says why. The VM then refuses the program, or lets the host compute
   * that kernel where its user allows it; all others run here.
   *
   * @throws org.relaxvm.api.error.BackendException a {@code ValueError} for a format that is not in
   *     {@link #formats()}, or an {@code InternalError} with the compiler's log when the content is
   *     refused
   */
  Module loadModule(ModuleImage image);
}
