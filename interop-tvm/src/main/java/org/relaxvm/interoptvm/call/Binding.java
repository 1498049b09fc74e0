package org.relaxvm.interoptvm.call;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.vmcore.program.HostLinks;

/**
 * A library in one virtual machine: which functions the names stand for that its code calls.
 *
 * <p>Compiled code looks a name up once and keeps the handle in a variable of the library, which
 * all virtual machines share. So a handle stands for a name, and each call finds the function in
 * the binding that it runs in. Thread-safe.
 */
public final class Binding {
  private final ImportedNames names;
  private final HostLinks links;
  private final StackRoom stackRoom;
  private volatile boolean closed;
  private volatile BoundList[] constants = {};
  private volatile @Nullable PackedFunc[] functions = new PackedFunc[0];

  /** A binding of a library whose names are these. */
  public Binding(ImportedNames names, HostLinks links, StackRoom stackRoom) {
    this.names = names;
    this.links = links;
    this.stackRoom = stackRoom;
  }

  /** Forbids calls from now on, since the library may be unloaded. */
  public void close() {
    closed = true;
  }

  /**
   * Checks that the library is there.
   *
   * @throws CallException when it was closed
   */
  void requireOpen(String name) {
    if (closed) {
      throw new CallException(
          ErrorKind.VALUE,
          "the native function " + name + " cannot be called any more: its library is closed");
    }
  }

  /** Checks the stack before calls. */
  StackRoom stackRoom() {
    return stackRoom;
  }

  /**
   * The handle of a name.
   *
   * @throws CallException when this virtual machine has no such function
   */
  long handleOf(String name) {
    int index = names.indexOf(name);
    function(index);
    return ImportedNames.handle(name, index);
  }

  /** The cells of a list of constants or functions, which stay for the life of the binding. */
  ConstantList constants(AnyList list) {
    for (BoundList known : constants) {
      if (known.isOf(list)) {
        return known.cells;
      }
    }
    return addConstants(list);
  }

  private synchronized ConstantList addConstants(AnyList list) {
    for (BoundList known : constants) {
      if (known.isOf(list)) {
        return known.cells;
      }
    }
    ConstantList made = ConstantList.of(list);
    BoundList[] more = Arrays.copyOf(constants, constants.length + 1);
    more[constants.length] = new BoundList(list, made);
    constants = more;
    return made;
  }

  /** The list that an address stands for an object of. */
  @Nullable ConstantList constantsWith(long address) {
    for (BoundList known : constants) {
      if (known.cells.holds(address)) {
        return known.cells;
      }
    }
    return null;
  }

  private record BoundList(AnyList list, ConstantList cells) {
    @SuppressWarnings("ReferenceEquality") // the virtual machine keeps each of its lists
    boolean isOf(AnyList other) {
      return list == other;
    }
  }

  /** The function of a handle. */
  PackedFunc functionOf(long handle) {
    return function(ImportedNames.index(handle));
  }

  private PackedFunc function(int index) {
    @Nullable PackedFunc[] known = functions;
    PackedFunc function = index < known.length ? known[index] : null;
    return function != null ? function : find(index);
  }

  private synchronized PackedFunc find(int index) {
    String name = names.name(index);
    PackedFunc found =
        links
            .find(name)
            .orElseThrow(
                () ->
                    new CallException(
                            ErrorKind.RUNTIME,
                            "compiled code needs the function '"
                                + name
                                + "', which nothing provides\n  what to do: register"
                                + " it with function(name, f) on the builder or with"
                                + " Functions.register, or add the jar that provides it")
                        .withTvmMessage(
                            "Cannot find function "
                                + name
                                + " in the imported modules or global registry."));
    @Nullable PackedFunc[] more = Arrays.copyOf(functions, Math.max(functions.length, index + 1));
    more[index] = found;
    functions = more;
    return found;
  }
}
