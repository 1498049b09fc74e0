package org.relaxvm.builtins;

import java.io.PrintStream;
import java.util.Map;
import java.util.function.Supplier;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.spi.FunctionTable;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.builtins.graph.CudaGraphBuiltins;
import org.relaxvm.builtins.image.ImageBuiltins;
import org.relaxvm.builtins.params.TensorCache;
import org.relaxvm.builtins.strings.MapBuiltins;
import org.relaxvm.builtins.strings.StringBuiltins;

/**
 * Offers every builtin. An instance has its own tensor cache and its own registry of functions
 * called by name, which all programs linked through it share.
 *
 * <p>Thread-safe.
 */
public final class BuiltinFunctions extends FunctionTable {
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
    addAll(ShapeBuiltins.functions());
    addAll(CheckBuiltins.functions());
    addAll(MemoryBuiltins.functions());
    addAll(TensorBuiltins.functions());
    addAll(ClosureBuiltins.functions());
    addAll(TupleBuiltins.functions());
    addAll(ControlBuiltins.functions());
    addAll(DatatypeBuiltins.functions());
    addAll(HostIntegerBuiltins.functions());
    addAll(RelayCallBuiltins.functions());
    addAll(CudaGraphBuiltins.functions());
    addAll(DataDependentBuiltins.functions());
    addAll(ListBuiltins.functions());
    addAll(RowBuiltins.functions());
    addAll(new ImageBuiltins(Devices::onHost).functions());
    addAll(new MapBuiltins(Devices::onHost).functions());
    addAll(new StringBuiltins(Devices::onHost).functions());
    addAll(new PyFunctionBuiltins().functions());
    addAll(new DebugBuiltins(out).functions());
    addAll(new RunBuiltins(out).functions());
    addAll(new EarlierNames(out).functions());
    TensorCache cache = new TensorCache();
    addAll(new CacheBuiltins(cache).functions());
    addAll(new ParamBuiltins(cache).functions());
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
  public CallEffects effectsOf(String function) {
    return effects.getOrDefault(function, CallEffects.UNKNOWN);
  }
}
