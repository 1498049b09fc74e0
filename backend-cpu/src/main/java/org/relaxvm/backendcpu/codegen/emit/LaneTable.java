package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The vector operations that generated code can call, found by name and the types of their
 * arguments: what is not here is computed by scalar code. Immutable and thread-safe.
 */
public final class LaneTable {
  /** How many lanes vectors have. */
  enum Width {
    /** As many as float32 has. */
    FULL,
    /** As many as float64 has. */
    HALF
  }

  private record Key(String name, List<ClassDesc> args) {}

  private record Operation(ClassDesc owner, MethodTypeDesc type, boolean fullOnly) {}

  private final int fullLanes;
  private final int halfLanes;
  private final boolean maskedTails;
  private final Map<Key, Operation> operations = new HashMap<>();

  /**
   * A table.
   *
   * @param fullLanes lanes of a vector of float32
   * @param halfLanes lanes of a vector of float64
   * @param maskedTails whether what is left of a loop runs as one vector of which some lanes rest
   * @param owners classes with the operations as public static methods
   * @param fullOnly those of them that only take vectors of {@code fullLanes}
   * @param exists whether the machine has the vectors of an operation on memory
   */
  public LaneTable(
      int fullLanes,
      int halfLanes,
      boolean maskedTails,
      List<Class<?>> owners,
      List<Class<?>> fullOnly,
      Predicate<String> exists) {
    this.fullLanes = fullLanes;
    this.halfLanes = halfLanes;
    this.maskedTails = maskedTails;
    for (Class<?> owner : owners) {
      for (Method method : owner.getDeclaredMethods()) {
        boolean memory =
            method.getName().startsWith("load") || method.getName().startsWith("store");
        if (Modifier.isPublic(method.getModifiers())
            && (!memory || exists.test(method.getName()))) {
          MethodTypeDesc type =
              MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                  .describeConstable()
                  .orElseThrow();
          operations.put(
              new Key(method.getName(), type.parameterList()),
              new Operation(
                  owner.describeConstable().orElseThrow(), type, fullOnly.contains(owner)));
        }
      }
    }
  }

  int lanes(Width width) {
    return width == Width.FULL ? fullLanes : halfLanes;
  }

  boolean maskedTails() {
    return maskedTails;
  }

  /** Whether there is an operation. */
  boolean has(Width width, String name, ClassDesc... args) {
    return find(width, name, args).isPresent();
  }

  /** Calls an operation whose arguments are on the stack. */
  void call(CodeBuilder code, Width width, String name, ClassDesc... args) {
    Operation operation =
        find(width, name, args)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "there is no vector operation " + name + " of " + List.of(args)));
    code.invokestatic(operation.owner(), name, operation.type());
  }

  private Optional<Operation> find(Width width, String name, ClassDesc... args) {
    Operation operation = operations.get(new Key(name, List.of(args)));
    return operation == null || (operation.fullOnly() && width != Width.FULL)
        ? Optional.empty()
        : Optional.of(operation);
  }
}
