package org.relaxvm.tir.eval;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.scalar.Scalars;

/**
 * The variables and buffers that there are at a point of a run, and the blocks around it.
 *
 * <p>After an error it stays as it was, so that {@link #location} says where that was.
 */
final class Scope {
  private sealed interface Entry {
    record OfVar(Var var) implements Entry {}

    record OfBlock(String name) implements Entry {}
  }

  private final String function;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<Var, Long> values = new IdentityHashMap<>();
  private final Map<Buffer, BoundBuffer> buffers = new IdentityHashMap<>();
  private final Map<Handle, @Nullable Object> handles = new IdentityHashMap<>();

  Scope(String function) {
    this.function = function;
  }

  void enter(Var var, long value) {
    if (values.put(var, value) != null) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the variable "
              + var
              + " is defined where it has a value already; give each definition a variable of its"
              + " own");
    }
    entries.add(new Entry.OfVar(var));
  }

  /** Binds a handle to what it refers to. */
  void bind(Handle handle, @Nullable Object value) {
    handles.put(handle, value);
  }

  @Nullable Object value(Handle handle) {
    if (!handles.containsKey(handle)) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "the handle " + handle + " is no parameter of the function");
    }
    return handles.get(handle);
  }

  /** The context of a VM call among the values of handles; null where there is none. */
  @Nullable VmContext contextOrNull() {
    return handles.values().stream()
        .filter(VmContext.class::isInstance)
        .map(VmContext.class::cast)
        .findFirst()
        .orElse(null);
  }

  void enterBlock(String name) {
    entries.add(new Entry.OfBlock(name));
  }

  /** Forgets the variable or block that was entered last. */
  void leave() {
    if (entries.removeLast() instanceof Entry.OfVar(Var var)) {
      values.remove(var);
    }
  }

  boolean has(Var var) {
    return values.containsKey(var);
  }

  long value(Var var) {
    Long value = values.get(var);
    if (value == null) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the variable "
              + var
              + " has no value; it must be a parameter, stand alone as an extent, stride or offset"
              + " of a parameter, or be defined around its use");
    }
    return value;
  }

  void define(BoundBuffer buffer) {
    if (buffers.put(buffer.buffer(), buffer) != null) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the buffer "
              + buffer.buffer()
              + " is defined where it has memory already; give each definition a buffer of its"
              + " own");
    }
  }

  void forget(BoundBuffer buffer) {
    buffers.remove(buffer.buffer());
  }

  BoundBuffer buffer(Buffer buffer) {
    BoundBuffer bound = buffers.get(buffer);
    if (bound == null) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the buffer "
              + buffer
              + " has no memory; it must be a parameter, or be allocated by a block around its"
              + " use");
    }
    return bound;
  }

  /** The kernel, and what is defined from the outside to the inside. */
  String location() {
    StringBuilder text = new StringBuilder("kernel ").append(function);
    for (Entry entry : entries) {
      switch (entry) {
        case Entry.OfVar(Var var) ->
            text.append(", ")
                .append(var)
                .append(" = ")
                .append(Scalars.text(var.dtype(), value(var)));
        case Entry.OfBlock(String name) -> text.append(", block ").append(name);
      }
    }
    return text.toString();
  }
}
