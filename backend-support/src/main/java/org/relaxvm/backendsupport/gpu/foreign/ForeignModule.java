package org.relaxvm.backendsupport.gpu.foreign;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.KernelLaunch;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.api.spi.Stream;

/**
 * Kernels of another compiler, in code that a device takes as it is. A kernel is built when it is
 * prepared or called for the first time.
 *
 * <p>Source: docs/spec/device-modules.md, section 2. Thread-safe.
 *
 * @param <K> a kernel that can be launched
 * @param <S> how many work-groups and work-items it is launched with
 */
public final class ForeignModule<K, S> implements Module {
  private final Device device;
  private final String origin;
  private final Code<K, S> code;
  private final Map<String, PackedFunc> functions = new HashMap<>();
  private boolean closed;

  /**
   * What a device makes of the code of a module.
   *
   * <p>{@link #kernel} and {@link #close} are called by one thread at a time, and no kernel is
   * asked for after the end; the others by any.
   */
  public interface Code<K, S> {
    /** A kernel; asked for once, unless that fails. It lives until the code is closed. */
    K kernel(KernelEntry entry);

    /** What the numbers of a call say of its size. */
    S size(KernelLaunch launch);

    /** Enqueues a kernel and does not wait for it. */
    void launch(K kernel, String name, List<KernelArgument> arguments, S size, Stream stream);

    /** Gives all kernels back; work that was enqueued is done all the same. */
    void close();
  }

  /**
   * A module, which owns its code.
   *
   * @param entries of an image that {@link #require} takes
   */
  public ForeignModule(Device device, List<KernelEntry> entries, Code<K, S> code) {
    this.device = device;
    this.origin = "kernels of the program on " + device;
    this.code = code;
    for (KernelEntry entry : entries) {
      functions.put(entry.name(), new Function(entry));
    }
  }

  /**
   * Refuses what is no module of another compiler that a device takes.
   *
   * @param formats of such modules
   * @throws BackendException when the format is another, or a kernel cannot be called because its
   *     parameters are not known
   */
  public static <D extends Device & ModuleLoader> void require(
      D device, Set<String> formats, ModuleImage image) {
    if (!formats.contains(image.format())) {
      throw new BackendException(
          ErrorKind.VALUE,
          device
              + " takes no modules of format '"
              + image.format()
              + "', only "
              + new TreeSet<>(device.formats()));
    }
    List<String> unknown = new ArrayList<>(image.symbols());
    unknown.removeAll(image.entries().stream().map(KernelEntry::name).toList());
    if (!unknown.isEmpty()) {
      throw new BackendException(
          ErrorKind.VALUE,
          device
              + " cannot load a module of format "
              + image.format()
              + ": it does not say which parameters these kernels have: "
              + unknown
              + "\n  what to do: give the image an entry for each of its symbols");
    }
  }

  /**
   * The content of an image that is source code.
   *
   * @throws BackendException when it is no text
   */
  public static String text(Device device, String format, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new BackendException(
          ErrorKind.VALUE,
          device + " cannot load a module of format " + format + ": its text is not UTF-8",
          e);
    }
  }

  @Override
  public String origin() {
    return origin;
  }

  @Override
  public Set<String> functionNames() {
    return Set.copyOf(functions.keySet());
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    return Optional.ofNullable(functions.get(name));
  }

  @Override
  public CallEffects effectsOf(String function) {
    return functions.containsKey(function) ? CallEffects.writingAny() : CallEffects.UNKNOWN;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      code.close();
    }
  }

  private final class Function implements PackedFunc, Preparable {
    private final KernelEntry entry;
    private volatile @Nullable K made;

    Function(KernelEntry entry) {
      this.entry = entry;
    }

    @Override
    public void prepare() {
      prepared();
    }

    private K prepared() {
      K kernel = made;
      return kernel != null ? kernel : make();
    }

    private K make() {
      synchronized (ForeignModule.this) {
        K kernel = made;
        if (kernel == null) {
          if (closed) {
            throw new BackendException(
                ErrorKind.VALUE,
                "the module of kernel " + entry.name() + " on " + device + " is closed");
          }
          kernel = code.kernel(entry);
          made = kernel;
        }
        return kernel;
      }
    }

    @Override
    public void call(CallArgs args, CallResult result) {
      List<KernelArgument> arguments = KernelArguments.of(entry, args, device);
      S size = code.size(KernelLaunch.of(entry, args));
      K kernel = prepared();
      CallStream.use(
          args, device, stream -> code.launch(kernel, entry.name(), arguments, size, stream));
    }
  }
}
