package acme;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.SpiVersion;

/** A pass over modules in a jar that only knows the API. */
public final class MarkPass implements FunctionProvider {
  // snippet: mark
  /** Adds an attribute to a module. */
  static Object mark(Object module) {
    ObjectTypes types = ObjectTypes.discover();
    Object attrs =
        types.require("ir.DictAttrs").create(Map.of("__dict__", Map.of("acme.seen", 1L)));
    return ObjectView.of(types, module).with("attrs", attrs);
  }

  @Override
  public Set<String> functionNames() {
    return Set.of("acme.transform.Mark");
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    return Optional.of(PackedFunc.of(args -> mark(args[0])));
  }

  // end

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return "acme passes";
  }
}
