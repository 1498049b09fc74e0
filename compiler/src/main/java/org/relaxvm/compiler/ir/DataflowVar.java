package org.relaxvm.compiler.ir;

import org.relaxvm.compiler.type.Type;

/** A variable that is seen only in the dataflow block that binds it. */
public final class DataflowVar extends RelaxVar {
  /** A new variable. */
  public DataflowVar(String name, Type type) {
    super(name, type);
  }

  @Override
  public DataflowVar renewed(Type newType) {
    return new DataflowVar(name(), newType);
  }
}
