package org.relaxvm.machine.arm64;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Operands that fit a slot: every kind, lowest and highest numbers, limits of constants. */
final class OperandSamples {
  private static final int[] NUMBERS = {0, 5, 10, 15, 16, 30};

  private OperandSamples() {}

  /** Lists of operands for a form: each sample of each operand beside varying others. */
  static List<Operand[]> of(Form form) {
    List<Operand[]> combinations = new ArrayList<>();
    for (Shape shape : shapes(form)) {
      List<List<Operand>> samples = new ArrayList<>();
      for (Slot slot : form.slots()) {
        samples.add(of(slot, shape));
      }
      int most = samples.stream().mapToInt(List::size).max().orElse(1);
      for (int i = 0; i < most; i++) {
        Operand[] operands = new Operand[samples.size()];
        for (int k = 0; k < operands.length; k++) {
          operands[k] = samples.get(k).get((i + k) % samples.get(k).size());
        }
        setIncrement(form, operands);
        combinations.add(operands);
        if (form.isLastOptional()) {
          combinations.add(Arrays.copyOf(operands, operands.length - 1));
        }
      }
      bitFields(form, shape, combinations);
    }
    return combinations;
  }

  /** Sets an increment that is the number of bytes of a list. */
  private static void setIncrement(Form form, Operand[] operands) {
    if (!form.slots().isEmpty()
        && form.slots().getLast() instanceof MemorySlot memory
        && operands[operands.length - 1] instanceof Address address) {
      boolean isWhole = memory.mode() == MemorySlot.Mode.POST_LIST;
      if (isWhole || memory.mode() == MemorySlot.Mode.POST_ELEMENTS) {
        operands[operands.length - 1] = Address.post(address.base(), bytes(operands[0], isWhole));
      }
    }
  }

  private static int bytes(Operand operand, boolean isWhole) {
    return switch (operand) {
      case VectorList list ->
          list.count() * (isWhole ? list.arrangement().bytes() : list.arrangement().elementBytes());
      case ElementList list -> list.count() * list.kind().bytes();
      default -> throw new IllegalArgumentException("no list: " + operand);
    };
  }

  /** Operands of all kinds. */
  static List<Operand> others() {
    List<Operand> others = new ArrayList<>();
    for (int bits : new int[] {32, 64}) {
      others.add(new Gp(9, bits, false));
      others.add(new Gp(31, bits, false));
      others.add(new Gp(31, bits, true));
    }
    for (int bits = 8; bits <= 128; bits *= 2) {
      others.add(new Scalar(17, bits));
    }
    for (Arrangement arrangement : Arrangement.values()) {
      others.add(new Vector(18, arrangement));
      others.add(new VectorList(19, 2, arrangement));
    }
    for (Element.Kind kind : Element.Kind.values()) {
      others.add(new Element(14, kind, 1));
      others.add(new Element(20, kind, 0));
      if (kind.isSingle()) {
        others.add(new ElementList(21, 1, kind, 1));
      }
    }
    for (long value : new long[] {-4096, -1, 0, 1, 8, 16, 32, 64, 255, 256, 4097, 65_536}) {
      others.add(Immediate.of(value));
    }
    others.add(FloatImmediate.of(0));
    others.add(FloatImmediate.of(-0.5));
    others.add(FloatImmediate.of(100));
    for (Modifier.Kind kind : Modifier.Kind.values()) {
      others.add(Modifier.of(kind, 0));
      others.add(Modifier.of(kind, 8));
      others.add(Modifier.of(kind, 33));
    }
    for (int offset : new int[] {-1_024, -256, -1, 0, 8, 63, 256, 4_096, 65_520}) {
      others.add(Address.of(Gp.x(8), offset));
      others.add(Address.pre(Gp.x(8), offset));
      others.add(Address.post(Gp.x(8), offset));
    }
    others.add(Address.of(Gp.x(8), Gp.x(9)));
    others.add(Address.of(Gp.x(8), Gp.w(9), Modifier.of(Modifier.Kind.UXTW, 3)));
    others.add(Address.post(Gp.x(8), Gp.x(9)));
    others.addAll(List.of(Condition.LT, Condition.AL, Barrier.ISH, Prefetch.PSTL1KEEP));
    others.addAll(List.of(SystemRegister.FPCR, SystemRegister.MIDR_EL1));
    return others;
  }

  /** Bit fields whose width depends on their lowest bit. */
  private static void bitFields(Form form, Shape shape, List<Operand[]> combinations) {
    boolean isField =
        !form.slots().isEmpty()
            && form.slots().getLast() instanceof ImmediateSlot slot
            && (slot.kind() == ImmediateSlot.Kind.INSERT_WIDTH
                || slot.kind() == ImmediateSlot.Kind.EXTRACT_WIDTH);
    if (!isField) {
      return;
    }
    int size = shape.gpBits();
    int[][] fields = {{0, 1}, {0, size}, {size - 1, 1}, {3, 8}, {size / 2, size / 2}};
    for (int[] field : fields) {
      combinations.add(
          new Operand[] {
            new Gp(3, size, false),
            new Gp(30, size, false),
            Immediate.of(field[0]),
            Immediate.of(field[1])
          });
    }
  }

  private static List<Shape> shapes(Form form) {
    int[] gpBits = {32, 64};
    int[] floatBits = {16, 32, 64};
    List<Shape> shapes = new ArrayList<>();
    for (int gp : gpBits) {
      if (isOtherSize(form, gp)) {
        continue;
      }
      for (int fp : floatBits) {
        for (int element = 1; element <= 8; element *= 2) {
          for (int bytes = 8; bytes <= 16; bytes *= 2) {
            Shape shape = new Shape(gp, fp, element, bytes);
            if (form.sizes().allow(shape) && isUsed(form, shape)) {
              shapes.add(shape);
            }
          }
        }
      }
    }
    return shapes;
  }

  /** Whether the first general-purpose register, which decides, has another size. */
  private static boolean isOtherSize(Form form, int bits) {
    return form.slots().stream()
        .filter(GpSlot.class::isInstance)
        .map(slot -> ((GpSlot) slot).bits())
        .findFirst()
        .filter(size -> size != 0 && size != bits)
        .isPresent();
  }

  /** Leaves out shapes that differ only in what a form does not have. */
  private static boolean isUsed(Form form, Shape shape) {
    boolean hasGp = form.slots().stream().anyMatch(GpSlot.class::isInstance);
    boolean hasFloat =
        form.slots().stream()
            .anyMatch(
                slot ->
                    slot instanceof ScalarSlot scalar && scalar.size() == ScalarSlot.Size.FLOAT);
    boolean hasElements = !form.sizes().equals(Sizes.NONE);
    boolean hasVectors = form.slots().stream().anyMatch(OperandSamples::isOfLength);
    return (hasGp || shape.gpBits() == 64)
        && (hasFloat || shape.floatBits() == 32)
        && (hasElements || shape.elementBytes() == 1)
        && (hasVectors || shape.bytes() == 16);
  }

  private static boolean isOfLength(Slot slot) {
    return switch (slot) {
      case VectorSlot vector -> vector.statesLength();
      case ListSlot list -> list.kind() == ListSlot.Kind.VECTORS;
      default -> false;
    };
  }

  private static List<Operand> of(Slot slot, Shape shape) {
    return switch (slot) {
      case GpSlot gp -> registers(gp, shape);
      case ScalarSlot scalar -> {
        int bits =
            switch (scalar.size()) {
              case FIXED -> scalar.bits();
              case FLOAT -> shape.floatBits();
              case ELEMENT -> 8 * shape.elementBytes();
              case LONG -> 16 * shape.elementBytes();
            };
        yield numbered(number -> new Scalar(number, bits));
      }
      case VectorSlot vector -> {
        Arrangement arrangement =
            switch (vector.lanes()) {
              case SAME -> Arrangement.of(shape.elementBytes(), shape.bytes());
              case WIDE -> Arrangement.of(2 * shape.elementBytes(), 16);
              case PAIRS -> Arrangement.of(2 * shape.elementBytes(), shape.bytes());
              case ELEMENTS -> Arrangement.of(vector.elementBytes(), shape.bytes());
              case FIXED -> Arrangement.of(vector.elementBytes(), vector.bytes());
            };
        yield numbered(number -> new Vector(number, arrangement));
      }
      case ElementSlot element -> elements(element, shape);
      case ListSlot list -> lists(list, shape);
      case ImmediateSlot immediate -> ImmediateSamples.of(immediate, shape);
      case LabelSlot label -> List.of(new Label("?"));
      case MemorySlot memory -> AddressSamples.of(memory);
      case ModifierSlot modifier -> modifiers(modifier, shape);
      case NameSlot name -> names(name);
    };
  }

  private static List<Operand> numbered(IntFunction<Operand> register) {
    return IntStream.concat(IntStream.of(NUMBERS), IntStream.of(31)).mapToObj(register).toList();
  }

  private static List<Operand> registers(GpSlot slot, Shape shape) {
    int bits = slot.bits() == 0 ? shape.gpBits() : slot.bits();
    List<Operand> registers = new ArrayList<>();
    for (int number : NUMBERS) {
      registers.add(new Gp(number, bits, false));
    }
    registers.add(new Gp(31, bits, slot.isStackPointer()));
    return registers;
  }

  private static List<Operand> elements(ElementSlot slot, Shape shape) {
    Element.Kind kind =
        slot.kind() == null ? Element.Kind.ofBytes(shape.elementBytes()) : slot.kind();
    boolean isLow = slot.field() == ElementSlot.Field.HLM && kind.bytes() == 2;
    return IntStream.range(0, 16 / kind.bytes())
        .<Operand>mapToObj(i -> new Element((isLow ? 15 : 31) - i % 8, kind, i))
        .toList();
  }

  private static List<Operand> lists(ListSlot slot, Shape shape) {
    int count = slot.count();
    return switch (slot.kind()) {
      case VECTORS -> {
        Arrangement lanes = Arrangement.of(shape.elementBytes(), shape.bytes());
        yield numbered(number -> new VectorList(number, count, lanes));
      }
      case TABLE -> numbered(number -> new VectorList(number, count, Arrangement.B16));
      case ELEMENTS -> {
        Element.Kind kind = Element.Kind.ofBytes(shape.elementBytes());
        yield IntStream.range(0, 16 / kind.bytes())
            .<Operand>mapToObj(i -> new ElementList(31 - i, count, kind, i))
            .toList();
      }
    };
  }

  private static List<Operand> modifiers(ModifierSlot slot, Shape shape) {
    List<Operand> modifiers = new ArrayList<>();
    for (Modifier.Kind kind : Modifier.Kind.values()) {
      for (int amount : new int[] {0, 1, 2, 4, 8, 16, 24, 31, 32, 48, 63}) {
        Modifier modifier = new Modifier(kind, amount);
        if (slot.fits(new Operand[] {modifier}, 0, shape)) {
          modifiers.add(modifier);
        }
      }
    }
    return modifiers;
  }

  private static List<Operand> names(NameSlot slot) {
    List<Operand> names = new ArrayList<>();
    Stream.<Operand[]>of(
            Condition.values(), Barrier.values(), Prefetch.values(), SystemRegister.values())
        .flatMap(Stream::of)
        .filter(slot::isKind)
        .forEach(names::add);
    return names;
  }
}
