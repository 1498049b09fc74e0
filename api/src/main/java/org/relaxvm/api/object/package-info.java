/**
 * Objects as data: types with a key and fields, so that any object can be read, changed, printed,
 * compared and saved without its class.
 *
 * <p>Source: docs/spec/object-system.md.
 */
@NullMarked
package org.relaxvm.api.object;

import org.jspecify.annotations.NullMarked;
