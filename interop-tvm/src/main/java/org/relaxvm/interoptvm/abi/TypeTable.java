package org.relaxvm.interoptvm.abi;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import org.relaxvm.api.object.ObjectDeclaration;
import org.relaxvm.api.object.StaticTypes;

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
    Map<String, Integer> types = StaticTypes.all();
    MemorySegment object = info(TypeIndex.OBJECT, ObjectDeclaration.OBJECT, MemorySegment.NULL);
    types.forEach(
        (name, index) -> {
          MemorySegment parent = index < TypeIndex.OBJECT ? MemorySegment.NULL : object;
          infos.put(
              index, (index == TypeIndex.OBJECT ? object : info(index, name, parent)).address());
        });
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
