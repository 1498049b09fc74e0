package org.relaxvm.interoptvm.object;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * What a native library was made for.
 *
 * @param machineName the machine's name, or the format's number of a machine without one
 * @param wordBits 32 or 64
 * @param system the only operating system that the file says it is for, if it names one
 * @param machines all machines of a file that holds several libraries; otherwise one
 */
public record Target(
    ObjectFormat format,
    Machine machine,
    String machineName,
    int wordBits,
    ByteOrder byteOrder,
    Optional<String> system,
    List<String> machines) {

  /** Copies the list. */
  public Target {
    machines = List.copyOf(machines);
  }

  /** The target of a file that holds one library for any system that loads its format. */
  static Target of(ObjectFormat format, int machine, int wordBits, ByteOrder order) {
    Machine known = Machine.of(format, machine);
    String name = known == Machine.OTHER ? "machine number " + machine : known.toString();
    return new Target(format, known, name, wordBits, order, Optional.empty(), List.of(name));
  }

  /** The same for one operating system only. */
  Target onlyFor(String name) {
    return new Target(
        format, machine, machineName, wordBits, byteOrder, Optional.of(name), machines);
  }

  /** The same in a file that holds several libraries. */
  Target among(List<String> all) {
    return new Target(format, machine, machineName, wordBits, byteOrder, system, all);
  }

  /** Whether symbols of such libraries are read: those of 64 bits, little-endian. */
  boolean isReadable() {
    return wordBits == 64 && byteOrder == ByteOrder.LITTLE_ENDIAN;
  }

  /**
   * Why a JVM cannot load such a library; empty when it can.
   *
   * @param osName the JVM's property {@code os.name}
   * @param osArch the JVM's property {@code os.arch}
   */
  public Optional<String> unfit(String osName, String osArch) {
    ObjectFormat loaded = ObjectFormat.ofSystem(osName);
    if (loaded != format) {
      return Optional.of(
          "it is "
              + format
              + ", and this JVM runs on "
              + osName
              + ", which loads "
              + loaded
              + ": export the model for this operating system");
    }
    if (system.isPresent() && !osName.equalsIgnoreCase(system.get())) {
      return Optional.of(
          "it is for "
              + system.get()
              + ", and this JVM runs on "
              + osName
              + ": export the model for this operating system");
    }
    String width = wordBits + "-bit, " + (byteOrder == ByteOrder.BIG_ENDIAN ? "big" : "little");
    if (machine != Machine.ofJvm(osArch) || machine == Machine.OTHER) {
      return Optional.of(
          "it is for "
              + String.join(" and ", machines)
              + ", and this JVM runs on "
              + osArch
              + ": export the model for this processor");
    }
    return isReadable()
        ? Optional.empty()
        : Optional.of(
            "it is for "
                + machineName
                + " ("
                + width
                + "-endian), and only 64-bit, little-endian libraries can be loaded: export the"
                + " model for such a processor and run it on a JVM there");
  }
}
