package org.relaxvm.builtins;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.builtins.graph.CudaGraphBuiltins;
import org.relaxvm.builtins.params.TensorCache;
import org.relaxvm.builtins.strings.MapBuiltins;
import org.relaxvm.builtins.strings.StringBuiltins;

/**
 * Offers every builtin. An instance has its own tensor cache and its own registry of functions
 * called by name, which all programs linked through it share.
 *
 * <p>Thread-safe.
 */
public final class BuiltinFunctions implements FunctionProvider {
  private final Map<String, PackedFunc> functions = new HashMap<>();
  private final Map<String, CallEffects> effects = BuiltinEffects.all();

  /** Creates the provider; what programs print goes to standard output. */
  public BuiltinFunctions() {
    this(ProgramOutput::standard);
  }

  /** Creates the provider; what programs print goes to {@code out}. */
  public BuiltinFunctions(PrintStream out) {
    this(() -> out);
  }

  private BuiltinFunctions(Supplier<PrintStream> out) {
    functions.putAll(ShapeBuiltins.functions());
    functions.putAll(CheckBuiltins.functions());
    functions.putAll(MemoryBuiltins.functions());
    functions.putAll(TensorBuiltins.functions());
    functions.putAll(ClosureBuiltins.functions());
    functions.putAll(TupleBuiltins.functions());
    functions.putAll(ControlBuiltins.functions());
    functions.putAll(DatatypeBuiltins.functions());
    functions.putAll(HostIntegerBuiltins.functions());
    functions.putAll(RelayCallBuiltins.functions());
    functions.putAll(CudaGraphBuiltins.functions());
    functions.putAll(DataDependentBuiltins.functions());
    functions.putAll(ListBuiltins.functions());
    functions.putAll(RowBuiltins.functions());
    functions.putAll(new MapBuiltins(Devices::onHost).functions());
    functions.putAll(new StringBuiltins(Devices::onHost).functions());
    functions.putAll(new PyFunctionBuiltins().functions());
    functions.putAll(new DebugBuiltins(out).functions());
    functions.putAll(new RunBuiltins(out).functions());
    functions.putAll(new EarlierNames(out).functions());
    TensorCache cache = new TensorCache();
    functions.putAll(new CacheBuiltins(cache).functions());
    functions.putAll(new ParamBuiltins(cache).functions());
  }

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return "builtins";
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
    return effects.getOrDefault(function, CallEffects.UNKNOWN);
  }
}
