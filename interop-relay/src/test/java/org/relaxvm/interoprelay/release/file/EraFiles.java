package org.relaxvm.interoprelay.release.file;

import static org.relaxvm.interoprelay.release.ReleasedInstruction.NONE;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.ReleasedConstant;
import org.relaxvm.interoprelay.release.ReleasedDevice;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;

/** One file of each era with every instruction, as bytes and as records. */
public final class EraFiles {
  /** A version of each format. */
  public static final List<String> VERSIONS =
      List.of("0.6.1", "0.7.0", "0.8.0", "0.9.0", "0.13.0", "0.14.0", "0.19.0");

  private EraFiles() {}

  /** The bytes of the file of a version. */
  public static byte[] bytes(String version) {
    Era era = era(version);
    boolean table = era == Era.R3 || era == Era.R4;
    RawFile file = RawFile.ofVersion(version);
    if (table) {
      file.u64(2).i32(2).i32(0);
      if (era == Era.R4) {
        file.string("global.texture");
      }
      file.i32(1).i32(0);
      if (era == Era.R4) {
        file.string("");
      }
      file.i32(1);
    }
    file.strings("main", "helper");
    file.u64(table ? 3 : 2);
    tag(file, table).tensor(2, 32, 1, 0, 0, 0x80, 0x3F);
    tag(file, table).tensor(1, 1, 2, 1, 0);
    if (table) {
      file.i32(1).string("const_2");
    }
    if (era == Era.R2) {
      file.longs(1, 1);
    } else if (table) {
      file.longs(0, 1, 0);
    }
    file.strings("add", "pad");
    if (hasAttributes(version)) {
      file.u64(1).u64(1).u64(2);
      file.string("hash").string("ab").string("relay_attrs").string("{}");
    }
    file.u64(2);
    // The functions follow no order.
    file.strings("helper", "1", "1").strings("a");
    if (era != Era.R1) {
      file.longs(1);
    }
    file.code(1, 0);
    file.strings("main", "20", Integer.toString(code(version).size())).strings("x", "y");
    if (era != Era.R1) {
      file.longs(0, 1);
    }
    writeCode(file, era);
    return file.toBytes();
  }

  private static RawFile tag(RawFile file, boolean tagged) {
    return tagged ? file.i32(0) : file;
  }

  private static void writeCode(RawFile file, Era era) {
    file.code(0, 1, 2);
    file.code(2, 1, 1, 3, 2);
    file.code(3, 4, 2, 5, 0, 1);
    file.code(4, 1, 3, 1, 0, 1, 6);
    switch (era) {
      case R1 -> {
        file.code(5, 7, 2, 32, 1, 2, 8, 3, 4);
        file.code(6, 7, 9, 1, 1, 1, 10);
      }
      default -> {
        file.code(5, 7, 11, 2, 32, 1, 2, 8, 3, 4);
        file.code(6, 7, 11, 9, 1, 1, 1, 10);
      }
    }
    file.code(7, 4, 2, 11, 0, 1);
    file.code(8, 1, 1, 12, 0);
    file.code(9, 11, 1, 13);
    file.code(10, 0, 1, 1, -3);
    switch (era) {
      case R4 -> file.code(11, 1, 0, 14);
      default -> file.code(11, 1, 14);
    }
    file.code(12, 2);
    file.code(13, 11, 15);
    file.code(14, -5, 16);
    switch (era) {
      case R1 -> file.code(16, 16, 15, 2, 16, 1, 17);
      case R2, R3 -> file.code(16, 16, 64, 2, 16, 1, 1, 17);
      case R4 -> file.code(16, 16, 64, 2, 16, 1, 0, 2, 17, 5, 6);
    }
    if (era != Era.R1) {
      file.code(17, 8, 18);
      file.code(18, 8, 18, 19);
      file.code(19, 8, 0, 1, 19);
    }
    if (era == Era.R3 || era == Era.R4) {
      file.code(20, 19);
    }
    file.code(1, 3);
    file.code(15);
  }

  /** The instructions of the function {@code main}. */
  public static List<ReleasedInstruction> code(String version) {
    Era era = era(version);
    int offset = era == Era.R1 ? NONE : 11;
    List<ReleasedInstruction> code = new ArrayList<>();
    code.add(new ReleasedInstruction.Move(1, 2));
    code.add(new ReleasedInstruction.Invoke(1, 3, List.of(2)));
    code.add(new ReleasedInstruction.InvokeClosure(4, 5, List.of(0, 1)));
    code.add(new ReleasedInstruction.InvokePacked(1, 1, List.of(0, 1, 6)));
    code.add(new ReleasedInstruction.AllocTensor(7, offset, DType.FLOAT32, Shape.of(3, 4), 8));
    code.add(new ReleasedInstruction.AllocTensorReg(7, offset, 9, DType.BOOL, 10));
    code.add(new ReleasedInstruction.AllocDatatype(4, 11, List.of(0, 1)));
    code.add(new ReleasedInstruction.AllocClosure(1, 12, List.of(0)));
    code.add(new ReleasedInstruction.GetField(11, 1, 13));
    code.add(new ReleasedInstruction.If(0, 1, 1, -3));
    code.add(new ReleasedInstruction.LoadConst(1, era == Era.R4 ? 0 : NONE, 14));
    code.add(new ReleasedInstruction.Goto(2));
    code.add(new ReleasedInstruction.GetTag(11, 15));
    code.add(new ReleasedInstruction.LoadConsti(-5, 16));
    code.add(
        switch (era) {
          case R1 ->
              new ReleasedInstruction.AllocStorage(16, 15, DType.FLOAT16, NONE, Shape.scalar(), 17);
          case R2, R3 ->
              new ReleasedInstruction.AllocStorage(16, 64, DType.FLOAT16, 1, Shape.scalar(), 17);
          case R4 ->
              new ReleasedInstruction.AllocStorage(16, 64, DType.FLOAT16, 0, Shape.of(5, 6), 17);
        });
    if (era != Era.R1) {
      code.add(new ReleasedInstruction.ShapeOf(8, 18));
      code.add(new ReleasedInstruction.ReshapeTensor(8, 18, 19));
      code.add(new ReleasedInstruction.DeviceCopy(8, 0, 1, 19));
    }
    if (era == Era.R3 || era == Era.R4) {
      code.add(new ReleasedInstruction.KillRegister(19));
    }
    code.add(new ReleasedInstruction.Ret(3));
    code.add(new ReleasedInstruction.Fatal());
    return code;
  }

  /** The executable that the file of a version holds. */
  public static ReleasedExecutable executable(String version) {
    Era era = era(version);
    boolean table = era == Era.R3 || era == Era.R4;
    List<ReleasedConstant> constants = new ArrayList<>();
    constants.add(new ReleasedConstant.Stored(Tensor.of(new float[] {1}, Shape.of(1))));
    constants.add(new ReleasedConstant.Stored(Tensor.of(new boolean[] {true, false}, Shape.of(2))));
    if (table) {
      constants.add(new ReleasedConstant.LateBound("const_2"));
    }
    boolean devices = era != Era.R1;
    return new ReleasedExecutable(
        version,
        era,
        table
            ? List.of(
                new ReleasedDevice(2, 0, era == Era.R4 ? "global.texture" : ""),
                new ReleasedDevice(1, 0, ""))
            : List.of(),
        table ? 1 : NONE,
        List.of(
            new ReleasedFunction(
                "main", List.of("x", "y"), devices ? List.of(0, 1) : List.of(), 20, code(version)),
            new ReleasedFunction(
                "helper",
                List.of("a"),
                devices ? List.of(1) : List.of(),
                1,
                List.of(new ReleasedInstruction.Ret(0)))),
        constants,
        table ? List.of(0, 1, 0) : devices ? List.of(1, 1) : List.of(),
        List.of("add", "pad"),
        hasAttributes(version) ? Map.of(1, Map.of("hash", "ab", "relay_attrs", "{}")) : Map.of());
  }

  /** The era of a version. */
  public static Era era(String version) {
    int minor = Integer.parseInt(version.split("\\.")[1]);
    return minor < 7 ? Era.R1 : minor < 9 ? Era.R2 : minor < 14 ? Era.R3 : Era.R4;
  }

  private static boolean hasAttributes(String version) {
    return Integer.parseInt(version.split("\\.")[1]) >= 8;
  }
}
