package org.relaxvm.builtins.params;

import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.spi.Module;

/**
 * A module of kind {@code param_module}: its one function {@code get_params()} returns a tuple of
 * tensors, which the module keeps alive.
 */
public final class ParamModule extends Managed implements Module {
  private static final String GET_PARAMS = "get_params";

  private final Tuple params;
  private final PackedFunc getParams;

  /**
   * Creates the module.
   *
   * @param params retained
   */
  public ParamModule(Tuple params) {
    params.retain();
    this.params = params;
    this.getParams =
        (args, result) -> {
          args.requireCount("get_params()", 0);
          params.retain();
          result.set(params);
        };
  }

  @Override
  public String origin() {
    return "param_module";
  }

  @Override
  public Set<String> functionNames() {
    return Set.of(GET_PARAMS);
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    return name.equals(GET_PARAMS) ? Optional.of(getParams) : Optional.empty();
  }

  @Override
  public ParamModule newHandle() {
    return new ParamModule(params);
  }

  @Override
  protected void dispose() {
    params.release();
  }

  @Override
  protected String describeKind() {
    return "module of parameters";
  }
}
