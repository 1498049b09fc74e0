package org.relaxvm.compiler.pass.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;

/** Where a value lies: one place for each tensor in it. */
sealed interface DevicePlacement {
  /** Of a value without tensors. */
  DevicePlacement NONE = new Fields(List.of());

  /** Of a tensor. Tensors that are joined lie in one place. */
  final class Leaf implements DevicePlacement {
    /** What the tensor is called in messages. */
    final String name;

    private @Nullable Leaf parent;
    private @Nullable VDevice place;

    Leaf(String name, @Nullable VDevice place) {
      this.name = name;
      this.place = place;
    }

    private Leaf root() {
      Leaf root = this;
      while (root.parent != null) {
        root = root.parent;
      }
      for (Leaf leaf = this; leaf.parent != null; ) {
        Leaf next = leaf.parent;
        leaf.parent = root;
        leaf = next;
      }
      return root;
    }

    /** The place; null as long as it is not known. */
    @Nullable VDevice place() {
      return root().place;
    }

    /** Says the place, which is not known so far. */
    void place(VDevice known) {
      root().place = known;
    }

    /** Puts both into one place; false when they are known to be in two. */
    boolean join(Leaf other) {
      Leaf a = root();
      Leaf b = other.root();
      if (a.equals(b)) {
        return true;
      }
      if (a.place != null && b.place != null && !a.place.equals(b.place)) {
        return false;
      }
      b.parent = a;
      a.place = a.place == null ? b.place : a.place;
      return true;
    }
  }

  /** Of a tuple; of any other value, of none. */
  record Fields(List<DevicePlacement> fields) implements DevicePlacement {}

  /** Of a value of a type, which says some of them. */
  static DevicePlacement of(Type type, String name) {
    return switch (type) {
      case TensorType tensor -> new Leaf(name, tensor.vdevice().orElse(null));
      case TupleType(var fields) ->
          new Fields(fields.stream().map(field -> of(field, name)).toList());
      default -> NONE;
    };
  }

  /** The tensors of a value, in order. */
  static List<Leaf> leaves(DevicePlacement places) {
    List<Leaf> leaves = new ArrayList<>();
    collect(places, leaves);
    return leaves;
  }

  private static void collect(DevicePlacement places, List<Leaf> leaves) {
    switch (places) {
      case Leaf leaf -> leaves.add(leaf);
      case Fields(var fields) -> fields.forEach(field -> collect(field, leaves));
    }
  }

  /** A type with the places of its tensors. */
  static Type placed(Type type, DevicePlacement places) {
    if (type instanceof TensorType tensor && places instanceof Leaf leaf) {
      return leaf.place() == null ? tensor : tensor.withVDevice(Optional.ofNullable(leaf.place()));
    }
    if (type instanceof TupleType(var types)
        && places instanceof Fields(var fields)
        && types.size() == fields.size()) {
      List<Type> placed = new ArrayList<>();
      for (int i = 0; i < types.size(); i++) {
        placed.add(placed(types.get(i), fields.get(i)));
      }
      return new TupleType(placed);
    }
    return type;
  }
}
