/**
 * Operations of kernels on vectors, for classes that are generated from kernels: small static
 * methods, found by name and parameter types, that the JIT compiler takes into the loops that call
 * them. Each lane gives what {@link org.relaxvm.tir.scalar.Scalars} gives of its scalars; math
 * functions are within two and a half units in the last place.
 *
 * <p>There are two widths. Full vectors have as many lanes as float32 fits the {@link
 * org.relaxvm.backendcpu.vector.Species}. Half vectors have as many as float64 does, for code in
 * which a type of 64 bits occurs. Methods work at the width of their arguments unless their name or
 * class says otherwise.
 *
 * <ul>
 *   <li>{@code FloatVector} holds float32, and float16 and bfloat16 as float32 of their values;
 *   <li>{@code DoubleVector} float64, at half width only;
 *   <li>{@code IntVector} int32, uint32 and narrower integers, extended by sign or zeros as their
 *       type says: what may leave their range is wrapped by the caller;
 *   <li>{@code LongVector} int64 and uint64, at half width only;
 *   <li>{@code VectorMask<Integer>} booleans, whatever they are used with.
 * </ul>
 *
 * <p>What is missing here has no good form in vectors. Start at {@link
 * org.relaxvm.backendcpu.vector.lane.FloatLaneOps}.
 */
@NullMarked
package org.relaxvm.backendcpu.vector.lane;

import org.jspecify.annotations.NullMarked;
