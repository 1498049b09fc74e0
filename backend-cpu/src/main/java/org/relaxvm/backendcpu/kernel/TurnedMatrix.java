package org.relaxvm.backendcpu.kernel;

import java.lang.foreign.MemorySegment;

/**
 * A matrix that is to be turned: element {@code j} of row {@code i} becomes element {@code i} of
 * row {@code j}. Elements of rows are adjacent on both sides.
 *
 * @param bytes of an element
 * @param fromAt where the first element is that is read, in bytes
 * @param fromStep distance of the rows read, in bytes
 * @param toAt where the first element is that is written, in bytes
 * @param toStep distance of the rows written, in bytes
 * @param rows that are read
 * @param columns that are read
 */
public record TurnedMatrix(
    int bytes,
    MemorySegment from,
    long fromAt,
    long fromStep,
    MemorySegment to,
    long toAt,
    long toStep,
    long rows,
    long columns) {}
