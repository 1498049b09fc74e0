package org.relaxvm.interoprelay.release;

/**
 * A row of the device table of a released executable.
 *
 * @param type DLPack's code of the device's type
 * @param id number among devices of the type
 * @param memoryScope empty for ordinary memory, and before era R4
 */
public record ReleasedDevice(int type, int id, String memoryScope) {}
