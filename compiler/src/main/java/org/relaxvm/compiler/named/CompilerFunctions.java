package org.relaxvm.compiler.named;

import org.relaxvm.api.spi.FunctionTable;
import org.relaxvm.api.spi.SpiVersion;

/**
 * Offers passes, compilation and modules by their global names.
 *
 * <p>Thread-safe.
 */
public final class CompilerFunctions extends FunctionTable {
  /** Creates the provider; types of objects and passes of other jars are looked for when needed. */
  public CompilerFunctions() {
    ModuleArguments modules = new ModuleArguments(new ModuleValues());
    PassArguments passes = new PassArguments();
    new TransformFunctions(modules, passes).addTo(this::add);
    new BuildFunctions(modules, passes).addTo(this::add);
    new ModuleFunctions(modules).addTo(this::add);
  }

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return "compiler";
  }
}
