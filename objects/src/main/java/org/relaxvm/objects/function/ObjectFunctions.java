package org.relaxvm.objects.function;

import java.util.function.Supplier;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.spi.FunctionTable;
import org.relaxvm.api.spi.SpiVersion;

/**
 * Offers functions over objects by their global names. The types are those that are found when the
 * first function that needs types is called.
 *
 * <p>Thread-safe.
 */
public final class ObjectFunctions extends FunctionTable {
  /** Creates the provider. */
  public ObjectFunctions() {
    Supplier<ObjectTypes> types = ObjectTypes.onDemand();
    new GraphFunctions(types).addTo(this::add);
    new MakeFunctions(types).addTo(this::add);
    ContainerFunctions.addTo(this::add);
  }

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return "objects";
  }
}
