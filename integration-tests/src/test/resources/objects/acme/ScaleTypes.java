package acme;

import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.TypeKey;
import org.relaxvm.api.object.FieldInfo;
import org.relaxvm.api.object.FieldRole;
import org.relaxvm.api.object.ObjectDeclaration;
import org.relaxvm.api.object.ObjectTypeProvider;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.SpiVersion;

/** The type, its printer, and a pass over any object that has a factor. */
public final class ScaleTypes implements ObjectTypeProvider, FunctionProvider {
  /** Multiplies an axis by a factor. */
  @TypeKey("acme.Scale")
  record Scale(long axis, double factor, @FieldInfo(role = FieldRole.IGNORED) String comment) {}

  @Override
  public List<ObjectDeclaration> types() {
    PackedFunc print =
        PackedFunc.of(args -> ((Scale) args[0]).axis() + " * " + ((Scale) args[0]).factor());
    return List.of(
        ObjectDeclaration.ofRecord(MethodHandles.lookup(), Scale.class)
            .withMethod("__ffi_repr__", print));
  }

  private static Object twice(Object object) {
    ObjectView view = ObjectView.of(ObjectTypes.discover(), object);
    return view.with("factor", 2 * (Double) view.get("factor"));
  }

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return "acme passes";
  }

  @Override
  public Set<String> functionNames() {
    return Set.of("acme.transform.Twice");
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    return Optional.of(PackedFunc.of(args -> twice(args[0])));
  }
}
