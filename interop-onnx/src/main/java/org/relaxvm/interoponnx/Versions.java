package org.relaxvm.interoponnx;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Module;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.vmcore.program.HostFunctions.ProgramLinker;

/**
 * The versions of a model in one virtual machine: those that were used last, at most 16. A version
 * that makes room for another is closed when no call uses it any more. Thread-safe.
 */
final class Versions implements Module {
  private static final int MOST = 16;
  private static final int LARGEST_INPUT = 64;

  private final OnnxModel model;
  private final OnnxOptions options;
  private final CompileOptions compileOptions;
  private final List<String> inputs;
  private final Set<String> deciding;
  private final ProgramLinker linker;
  private final Map<List<Values>, Version> versions = new LinkedHashMap<>(16, 0.75f, true);

  Versions(
      OnnxModel model,
      OnnxOptions options,
      CompileOptions compileOptions,
      List<String> inputs,
      Set<String> deciding,
      ProgramLinker linker) {
    this.model = model;
    this.options = options;
    this.compileOptions = compileOptions;
    this.inputs = inputs;
    this.deciding = deciding;
    this.linker = linker;
  }

  /** What a version is compiled for: an input with its elements. */
  private record Values(Shape shape, List<Long> elements) {}

  @Override
  public String origin() {
    return "versions of an ONNX model";
  }

  @Override
  public Set<String> functionNames() {
    return Set.of(VersionedProgram.FUNCTION);
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    return name.equals(VersionedProgram.FUNCTION) ? Optional.of(this::call) : Optional.empty();
  }

  private void call(CallArgs args, CallResult result) {
    args.requireCount(
        VersionedProgram.FUNCTION + "(" + String.join(", ", inputs) + ")", inputs.size());
    List<Values> key = new ArrayList<>();
    Map<String, Tensor> values = new LinkedHashMap<>();
    List<@Nullable Object> others = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      if (deciding.contains(inputs.get(i))) {
        Tensor value = host(args.tensorAt(i), inputs.get(i));
        values.put(inputs.get(i), value);
        key.add(new Values(value.shape(), boxed(value.toLongArray())));
      } else {
        others.add(args.at(i));
      }
    }
    Version version = acquired(key);
    try {
      version.main(values).call(CallArgs.of(args.contextOrNull(), others.toArray()), result);
    } finally {
      release(version);
    }
  }

  private static Tensor host(Tensor value, String input) {
    if (value.elementCount() > LARGEST_INPUT) {
      throw new CallException(
          ErrorKind.VALUE,
          "the input '"
              + input
              + "' decides axes and has "
              + value.elementCount()
              + " elements; expected at most "
              + LARGEST_INPUT);
    }
    return value.toHost();
  }

  private static List<Long> boxed(long[] values) {
    List<Long> boxed = new ArrayList<>();
    for (long value : values) {
      boxed.add(value);
    }
    return Collections.unmodifiableList(boxed);
  }

  private Version acquired(List<Values> key) {
    Optional<Version> unused = Optional.empty();
    Version version;
    synchronized (versions) {
      version = versions.computeIfAbsent(List.copyOf(key), values -> new Version());
      version.users++;
      if (versions.size() > MOST) {
        Iterator<Version> inOrder = versions.values().iterator();
        Version oldest = inOrder.next();
        inOrder.remove();
        oldest.isReplaced = true;
        unused = Optional.of(oldest).filter(old -> old.users == 0);
      }
    }
    unused.ifPresent(Version::close);
    return version;
  }

  private void release(Version version) {
    boolean isLast;
    synchronized (versions) {
      version.users--;
      isLast = version.isReplaced && version.users == 0;
    }
    if (isLast) {
      version.close();
    }
  }

  @Override
  public void close() {
    List<Version> all;
    synchronized (versions) {
      all = List.copyOf(versions.values());
      versions.clear();
    }
    all.forEach(Version::close);
  }

  /** A version, compiled at its first call. */
  private final class Version {
    // Guarded by the map.
    private int users;
    private boolean isReplaced;

    // Guarded by the version.
    private @Nullable Module module;

    synchronized PackedFunc main(Map<String, Tensor> values) {
      Module linked = module;
      if (linked == null) {
        OnnxOptions known = options;
        for (Map.Entry<String, Tensor> value : values.entrySet()) {
          known = known.value(value.getKey(), value.getValue());
        }
        linked = linker.link(model.compile(known, compileOptions));
        module = linked;
      }
      return linked.find("main").orElseThrow();
    }

    synchronized void close() {
      Module linked = module;
      module = null;
      if (linked != null) {
        linked.close();
      }
    }
  }
}
