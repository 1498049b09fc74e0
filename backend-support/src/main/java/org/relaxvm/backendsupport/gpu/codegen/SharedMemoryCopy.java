package org.relaxvm.backendsupport.gpu.codegen;

import java.util.Optional;
import org.relaxvm.api.DType;

/**
 * A copy of adjacent elements, from memory of the device to shared memory in which they lie the
 * same way.
 *
 * @param dtype of the elements
 * @param lanes how many, a power of two
 * @param to an array of the work-group
 * @param toIndex where the first one goes: a multiple of {@code lanes}
 * @param from an array in memory of the device
 * @param fromIndex where the first one is; it may be any
 * @param count how many of them there are, from 0 to {@code lanes}: zeros stand for the others,
 *     which must not be read; empty where all are there
 */
public record SharedMemoryCopy(
    DType dtype,
    int lanes,
    String to,
    String toIndex,
    String from,
    String fromIndex,
    Optional<String> count) {}
