package org.relaxvm.backendsupport.gpu.foreign;

import java.util.function.Consumer;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;

/** Finds the stream that a call of a kernel works in. Stateless. */
public final class CallStream {
  private CallStream() {}

  /**
   * Does work in the stream of a call on a device, which need not be waited for. A call outside of
   * any VM gets a stream of its own and waits.
   *
   * @throws CallException a {@code ValueError} when the device is none of the VM's
   */
  public static void use(CallArgs args, Device device, Consumer<? super Stream> work) {
    VmContext context = args.contextOrNull();
    if (context == null) {
      try (Stream own = device.openStream()) {
        work.accept(own);
        own.synchronize();
      }
      return;
    }
    int index = context.indexOf(device);
    if (index < 0) {
      throw new CallException(
          ErrorKind.VALUE,
          "a kernel of "
              + device
              + " was called in a VM without that device; its devices are "
              + context.devices());
    }
    work.accept(context.stream(index));
  }
}
