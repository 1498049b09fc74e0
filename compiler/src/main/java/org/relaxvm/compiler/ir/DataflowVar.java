package org.relaxvm.compiler.ir;

import java.util.List;
import org.relaxvm.compiler.type.Type;

/** A variable that is seen only in the dataflow block that binds it. */
public final class DataflowVar extends RelaxVar {
  /** A new variable. */
  public DataflowVar(String name, Type type) {
    super(name, type);
  }

  /** A new variable that is bound to what nodes of an imported model compute. */
  public DataflowVar(String name, Type type, List<String> sourceNodes) {
    super(name, type, sourceNodes);
  }

  @Override
  public DataflowVar renewed(Type newType) {
    return new DataflowVar(name(), newType, sourceNodes());
  }

  @Override
  public DataflowVar withSourceNodes(List<String> nodes) {
    return nodes.equals(sourceNodes()) ? this : new DataflowVar(name(), type(), nodes);
  }
}
