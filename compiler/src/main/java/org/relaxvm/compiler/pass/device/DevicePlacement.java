package org.relaxvm.compiler.pass.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;

/** Where a value lies: one device for each tensor in it. */
sealed interface DevicePlacement {
  /** Of a value without tensors. */
  DevicePlacement NONE = new Fields(List.of());

  /** Of a tensor. Tensors that are joined are on one device. */
  final class Leaf implements DevicePlacement {
    /** What the tensor is called in messages. */
    final String name;

    private @Nullable Leaf parent;
    private @Nullable VDevice vdevice;

    Leaf(String name, @Nullable VDevice vdevice) {
      this.name = name;
      this.vdevice = vdevice;
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

    /** The device; null as long as it is not known. */
    @Nullable VDevice vdevice() {
      return root().vdevice;
    }

    /** Says the device, which is not known so far. */
    void vdevice(VDevice known) {
      root().vdevice = known;
    }

    /** Puts both on one device; false when they are known to be in two. */
    boolean join(Leaf other) {
      Leaf a = root();
      Leaf b = other.root();
      if (a.equals(b)) {
        return true;
      }
      if (a.vdevice != null && b.vdevice != null && !a.vdevice.equals(b.vdevice)) {
        return false;
      }
      b.parent = a;
      a.vdevice = a.vdevice == null ? b.vdevice : a.vdevice;
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
  static List<Leaf> leaves(DevicePlacement placement) {
    List<Leaf> leaves = new ArrayList<>();
    collect(placement, leaves);
    return leaves;
  }

  private static void collect(DevicePlacement placement, List<Leaf> leaves) {
    switch (placement) {
      case Leaf leaf -> leaves.add(leaf);
      case Fields(var fields) -> fields.forEach(field -> collect(field, leaves));
    }
  }

  /** A type with the devices of its tensors. */
  static Type onDevices(Type type, DevicePlacement placement) {
    if (type instanceof TensorType tensor && placement instanceof Leaf leaf) {
      return leaf.vdevice() == null
          ? tensor
          : tensor.withVDevice(Optional.ofNullable(leaf.vdevice()));
    }
    if (type instanceof TupleType(var types)
        && placement instanceof Fields(var fields)
        && types.size() == fields.size()) {
      List<Type> fieldTypes = new ArrayList<>();
      for (int i = 0; i < types.size(); i++) {
        fieldTypes.add(onDevices(types.get(i), fields.get(i)));
      }
      return new TupleType(fieldTypes);
    }
    return type;
  }
}
