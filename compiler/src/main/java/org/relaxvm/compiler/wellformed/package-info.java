/**
 * Checks whole programs by the rules of Relax IR: {@link
 * org.relaxvm.compiler.wellformed.WellFormed}. Passes may rely on what is checked here, and must
 * keep it.
 *
 * <table>
 * <caption>Where each rule is checked</caption>
 * <tr><th>Rules</th><th>What</th><th>Where</th></tr>
 * <tr><td>WF-03</td><td>public names</td><td>{@code WellFormed}</td></tr>
 * <tr><td>WF-01, 10, 11, 12</td><td>types and normal form</td><td>{@code NormalFormCheck}</td></tr>
 * <tr><td>WF-04 to 09</td><td>variables: bound once, in front of uses, seen</td>
 *     <td>{@code VariableCheck}, {@code SymbolCheck}</td></tr>
 * <tr><td>WF-13 to 16</td><td>choices and effects</td><td>{@code EffectCheck}</td></tr>
 * <tr><td>WF-02, 19, 20</td><td>calls and what is said of values</td>
 *     <td>{@code TypeCheck}</td></tr>
 * <tr><td>WF-17, 18, integer extents of WF-20</td><td>results have types, kernels are no values</td>
 *     <td>the records of the IR allow nothing else</td></tr>
 * </table>
 *
 * <p>Each check looks at each part of a program a fixed number of times. That normal form holds is
 * checked first, since parts that are shared in a program that is not in normal form may be many.
 *
 * <p>Source: docs/spec/relax-ir.md, section 10.
 */
@NullMarked
package org.relaxvm.compiler.wellformed;

import org.jspecify.annotations.NullMarked;
