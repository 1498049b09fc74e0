package org.relaxvm.interoptvm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;

/**
 * Replaces a backend whose kernels are those of a small model: it has them in Java, and looks at
 * nothing of an image but its entries. So the code of the host is tested without the device that it
 * was compiled for.
 */
final class PretendBackend implements BackendProvider {
  private final String kind;
  private final String format;
  private final Map<String, PackedFunc> kernels;

  /** Calls that were made, by kernel. */
  final List<String> launches = new ArrayList<>();

  PretendBackend(String kind, String format, Map<String, PackedFunc> kernels) {
    this.kind = kind;
    this.format = format;
    this.kernels = Map.copyOf(kernels);
  }

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return kind;
  }

  @Override
  public Probe probe() {
    return Probe.usable("kernels of a test");
  }

  @Override
  public Backend open(BackendOptions options) {
    Device device = new PretendDevice(new DeviceId(kind, 0));
    return new Backend() {
      @Override
      public String name() {
        return kind;
      }

      @Override
      public List<Device> devices() {
        return List.of(device);
      }

      @Override
      public void close() {
        device.close();
      }
    };
  }

  /** A device whose memory is opaque to the host. */
  private final class PretendDevice extends ReferenceDevice {
    PretendDevice(DeviceId id) {
      super(id);
    }

    @Override
    public Set<String> formats() {
      return Set.of(format);
    }

    @Override
    public Module loadModule(ModuleImage image) {
      Map<String, PackedFunc> functions = new HashMap<>();
      for (KernelEntry entry : image.entries()) {
        PackedFunc kernel = kernels.get(entry.name());
        if (kernel == null) {
          throw new AssertionError("no kernel " + entry.name());
        }
        functions.put(
            entry.name(),
            (args, result) -> {
              entry.requireCount(args);
              for (int i = 0; i < entry.parameters().size(); i++) {
                if (entry.isMemory(i)) {
                  entry.storageAt(args, i, this);
                } else {
                  entry.scalarBits(args, i);
                }
              }
              launches.add(entry.name());
              kernel.call(args, result);
            });
      }
      return Module.of("kernels of " + this, functions);
    }
  }

  /** {@code out = max(0, x * weights + bias)}, without the maximum where there is none. */
  static PackedFunc dense(int out, int x, int weights, int bias, boolean relu) {
    return (args, result) -> {
      float[] a = host(args, x);
      float[] w = host(args, weights);
      float[] b = host(args, bias);
      int width = b.length;
      int depth = w.length / width;
      float[] results = new float[a.length / depth * width];
      for (int i = 0; i < results.length; i++) {
        float sum = 0;
        for (int k = 0; k < depth; k++) {
          sum += a[i / width * depth + k] * w[k * width + i % width];
        }
        sum += b[i % width];
        results[i] = relu ? Math.max(0, sum) : sum;
      }
      give(args, out, results);
    };
  }

  static PackedFunc softmax(int out, int x, int width) {
    return (args, result) -> {
      float[] values = host(args, x);
      for (int row = 0; row < values.length; row += width) {
        float most = Float.NEGATIVE_INFINITY;
        for (int i = row; i < row + width; i++) {
          most = Math.max(most, values[i]);
        }
        double sum = 0;
        for (int i = row; i < row + width; i++) {
          values[i] = (float) Math.exp(values[i] - most);
          sum += values[i];
        }
        for (int i = row; i < row + width; i++) {
          values[i] = (float) (values[i] / sum);
        }
      }
      give(args, out, values);
    };
  }

  private static float[] host(CallArgs args, int index) {
    return args.tensorAt(index).toFloatArray();
  }

  private static void give(CallArgs args, int index, float[] values) {
    Tensor target = args.tensorAt(index);
    try (Tensor source = Tensor.of(values, target.shape())) {
      source.copyInto(target);
    }
  }
}
