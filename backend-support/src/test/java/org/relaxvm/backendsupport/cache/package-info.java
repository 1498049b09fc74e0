/** Tests of the cache of compiled kernels. */
@NullMarked
package org.relaxvm.backendsupport.cache;

import org.jspecify.annotations.NullMarked;
