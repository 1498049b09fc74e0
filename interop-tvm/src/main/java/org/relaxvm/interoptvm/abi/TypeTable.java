package org.relaxvm.interoptvm.abi;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Descriptions of the types that cells hold, as native structures without members. They stay for
 * the life of the process: native code keeps their addresses.
 *
 * <p>Source: docs/spec/native-library.md, sections 2.1 and 3.4.
 */
public final class TypeTable {
  private static final int INFO_BYTES = 72;
  private static final int DEPTH = 4;
  private static final int NAME = 8;
  private static final int NAME_LENGTH = 16;
  private static final int ANCESTORS = 24;

  /** The names of types that are no objects, from index 0 on. */
  private static final List<String> VALUES =
      List.of(
          "None",
          "int",
          "bool",
          "float",
          "void*",
          "DataType",
          "Device",
          "DLTensor*",
          "const char*",
          "TVMFFIByteArray*",
          "ObjectRValueRef",
          "ffi.SmallStr",
          "ffi.SmallBytes");

  /** The names of types of objects, from {@link TypeIndex#OBJECT} on, which is their ancestor. */
  private static final List<String> OBJECTS =
      List.of(
          "ffi.Object",
          "ffi.String",
          "ffi.Bytes",
          "ffi.Error",
          "ffi.Function",
          "ffi.Shape",
          "ffi.Tensor",
          "ffi.Array",
          "ffi.Map",
          "ffi.Module",
          "ffi.OpaquePyObject",
          "ffi.List",
          "ffi.Dict");

  private static final Map<Integer, Long> INFOS = infos();

  /** The address of a byte array without bytes. */
  public static final long NO_BYTES = noBytes();

  private TypeTable() {}

  /** The address of the description of a type: of an object if the index is not known. */
  public static long info(int index) {
    Long known = INFOS.get(index);
    return known != null ? known : INFOS.getOrDefault(TypeIndex.OBJECT, 0L);
  }

  private static Map<Integer, Long> infos() {
    Map<Integer, Long> infos = new HashMap<>();
    for (int i = 0; i < VALUES.size(); i++) {
      infos.put(i, info(i, VALUES.get(i), MemorySegment.NULL).address());
    }
    MemorySegment object = info(TypeIndex.OBJECT, OBJECTS.getFirst(), MemorySegment.NULL);
    infos.put(TypeIndex.OBJECT, object.address());
    for (int i = 1; i < OBJECTS.size(); i++) {
      int index = TypeIndex.OBJECT + i;
      infos.put(index, info(index, OBJECTS.get(i), object).address());
    }
    return Map.copyOf(infos);
  }

  private static MemorySegment info(int index, String name, MemorySegment parent) {
    boolean child = parent.address() != 0;
    MemorySegment info = Arena.global().allocate(INFO_BYTES, Long.BYTES);
    MemorySegment bytes = Arena.global().allocateFrom(name);
    info.set(ValueLayout.JAVA_INT, 0, index);
    info.set(ValueLayout.JAVA_INT, DEPTH, child ? 1 : 0);
    info.set(ADDRESS, NAME, bytes);
    info.set(ValueLayout.JAVA_LONG, NAME_LENGTH, bytes.byteSize() - 1);
    info.set(ADDRESS, ANCESTORS, child ? Arena.global().allocateFrom(ADDRESS, parent) : parent);
    return info;
  }

  private static long noBytes() {
    MemorySegment array = Arena.global().allocate(16, Long.BYTES);
    array.set(ADDRESS, 0, Arena.global().allocateFrom(""));
    return array.address();
  }
}
